/* semiring_argument.h - the value of `-s`: a semiring, or resource(NAME,D[,BASE]): BASE over rules
 * in which every item has the amount of the resource that it uses as one more index.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_SEMIRING_ARGUMENT_H
#define TZ_CLI_SEMIRING_ARGUMENT_H

#include <trapeze/trapeze.h>

typedef struct tz_charged {
    tz_semiring *semiring;
    tz_rules *rules;     /* charged; NULL: the rules as they are */
    size_t limit_length; /* D is this length, if it is one; */
    long limit;          /* else this number */
} tz_charged;

/* Reads `text` for a rule set. 0, or the exit code after a message; *ret is to be freed in any
 * case.
 */
int tz_charged_open(const char *command, const char *text, tz_precision precision,
                    const tz_rules *rules, tz_charged *ret);
/* Charges the rules with a resource, of which `amount` is the limit. Likewise. */
int tz_charged_exactly(const char *command, const tz_rules *rules, const char *resource,
                       long amount, tz_charged *ret);
/* D for these lengths of the rules: the last length of the charged ones. */
int32_t tz_charged_limit(const tz_charged *charged, const tz_rules *rules, const int32_t *lengths);
void tz_charged_free(tz_charged *charged);

/* Cuts `text` at commas outside parentheses: returns the first part and moves *text behind it; NULL
 * after the last. Blanks around a part do not count. */
char *tz_next_part(char **text);

#endif
