/* lengths.h - lengths that a user gives by name: `-n n=5,h=0`. SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_LENGTHS_H
#define TZ_CLI_LENGTHS_H

#include "cli/cli.h"
#include "rules/tell/explore.h"

enum {
    TZ_NAMED_MOST = 16,
    TZ_SMALL_LENGTH = 5, /* where all combinations are looked at; */
    TZ_SMALL_LABELS = 3, /* of label sets */
    TZ_LENGTHS_TEXT = TZ_MAX_LENGTHS * 96
};

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

/* The length that runs where others stay: the first with a lower-case initial, or the first. */
unsigned tz_running_length(const tz_rules *rules);
/* Is it a label set, by its upper-case initial? */
bool tz_is_label_set(const tz_rules *rules, unsigned length);
/* Where tz_explore looks: small lengths, but for those that are given; all but `work`. */
void tz_small_lengths(const tz_rules *rules, const tz_named_lengths *named, tz_exploring *ret);
/* "n = 5, h = 0" */
void tz_lengths_text(const tz_rules *rules, const int32_t *lengths, char *ret_text, size_t size);
/* The same of the lengths up to which all combinations were looked at. */
void tz_reached_text(const tz_rules *rules, const tz_exploring *where, int32_t reach,
                     char *ret_text, size_t size);
/* What is given for a length, or -1. */
int32_t tz_named_length(const tz_named_lengths *named, const char *name);
/* Puts what is given into lengths[], in the order of the rule set. */
void tz_put_named_lengths(const tz_named_lengths *named, const tz_rules *rules, int32_t *lengths);

#endif
