/* train_watch.h - shows a training's progress, and ends it on a signal.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_TRAIN_TRAIN_WATCH_H
#define TZ_SENTENCES_CLI_TRAIN_TRAIN_WATCH_H

#include "sentences/train/train.h"

typedef struct tz_train_watch {
    const tz_task *task;
    const char *loss; /* the name of the loss */
    bool quiet, terminal;
    double begun, shown; /* seconds */
    double before;       /* sentences, over all epochs, of an earlier run */
} tz_train_watch;

/* Starts the clock. */
void tz_train_watch_begin(tz_train_watch *watch, const tz_training *training, const tz_task *task,
                          bool quiet);
/* For tz_training.report; `watch` is a tz_train_watch. */
bool tz_train_watch_report(void *watch, const tz_training_progress *progress);

/* Prints the time and memory that several ranks took, unless `quiet`. Errors of ranks.h. */
tz_status tz_train_tell_ranks(bool quiet, tz_error *opt_error);

/* From now on SIGINT and SIGTERM make tz_train_watch_report stop the training; a second signal ends
 * the program, as it does by default. A signal that is ignored, as in the background, stays
 * ignored. */
void tz_train_catch_signals(void);
/* Has there been such a signal? */
bool tz_train_signalled(void);

#endif
