/* emit.h - a compiled rule set as C source. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_TELL_EMIT_H
#define TZ_RULES_TELL_EMIT_H

#include <stdio.h>

#include "rules/table.h"

/* Writes the identifier that stands for a rule set of this name in C. */
void tz_emit_name(FILE *out, const char *name);

/* Writes constant definitions, the last of them `static const tz_rules IDENTIFIER`. Errors are left
 * to ferror. */
void tz_emit_rules(FILE *out, const tz_rules *rules);

#endif
