/* reader.h - reads the text of a rule file. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_READ_READER_H
#define TZ_RULES_READ_READER_H

#include <stddef.h>

#include "rules/table.h"

enum { TZ_MAX_FILE = 1 << 20 }; /* bytes */

/* Reads and checks `text` into the part of *rules headed "what the file says"; everything is taken
 * from rules->arena. Of a file that is refused, *rules has the warnings up to there. */
tz_status tz_read_rules(const char *file, const char *text, size_t size, tz_rules *rules,
                        tz_error *opt_error);

#endif
