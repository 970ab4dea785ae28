/* lengths.h - lengths that a user gives by name: `-n n=5,h=0`. SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_LENGTHS_H
#define TZ_CLI_LENGTHS_H

#include "cli/cli.h"
#include "rules/tell/explore.h"

enum { TZ_NAMED_MOST = 16 };

typedef struct tz_named_lengths {
    struct {
        char name[65];
        int32_t length;
    } at[TZ_NAMED_MOST];
    unsigned count;
} tz_named_lengths;

/* Cuts the value of option `which` at its commas: takes every NAME=LENGTH in, and gives each other
 * part to `number`, which returns 0 or an exit code. 0, or the exit code after a message. */
int tz_take_lengths(const tz_options *options, int which, tz_named_lengths *named,
                    int (*number)(const tz_options *options, int which, const char *part,
                                  void *user),
                    void *user);
/* Is every name that of a length of one of the rule sets? 0, or the exit code after a message. */
int tz_check_named_lengths(const char *command, const tz_named_lengths *named,
                           tz_rules *const *rules, size_t count);

/* tz_small_lengths, with the given lengths fixed. */
void tz_small_named_lengths(const tz_rules *rules, const tz_named_lengths *named,
                            tz_exploring *ret);
/* The value given for a length, or -1. */
int32_t tz_named_length(const tz_named_lengths *named, const char *name);
/* Puts the given lengths into lengths[], in the order of the rule set. */
void tz_put_named_lengths(const tz_named_lengths *named, const tz_rules *rules, int32_t *lengths);

#endif
