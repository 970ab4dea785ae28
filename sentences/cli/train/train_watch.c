/* train_watch.c - see train_watch.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/train/train_watch.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/replace.h"
#include "ranks/ranks.h"

static volatile sig_atomic_t signalled;

static void remember(int number) {
    signalled = 1;
    tz_replace_clean_on(number);
}

void tz_train_catch_signals(void) {
    static const int number[] = {SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = remember}, old;
    sigemptyset(&action.sa_mask);
    for (size_t s = 0; s < sizeof number / sizeof *number; s++)
        if (sigaction(number[s], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(number[s], &action, NULL);
}

bool tz_train_signalled(void) {
    return signalled;
}

void tz_train_watch_begin(tz_train_watch *watch, const tz_training *training, const tz_task *task,
                          bool quiet) {
    *watch =
        (tz_train_watch){.task = task,
                         .loss = training->objective == TZ_PERCEPTRON ? "wrong" : "neg. log lik.",
                         .quiet = quiet,
                         .terminal = !quiet && isatty(STDERR_FILENO),
                         .begun = tz_seconds(),
                         .before = -1};
}

bool tz_train_watch_report(void *user, const tz_training_progress *p) {
    tz_train_watch *watch = user;
    double now = tz_seconds(), spent = now - watch->begun;
    double done = (double)p->sentences * (p->epoch - 1) + (double)p->done;
    if (watch->before < 0) /* the first report comes after a batch: nearly nothing is done */
        watch->before = done;
    if (!watch->quiet && (p->epoch_over || (watch->terminal && now - watch->shown >= 0.5))) {
        watch->shown = now;
        double rate = spent > 0 ? (done - watch->before) / spent : 0;
        double left = rate > 0 ? ((double)p->sentences * p->epochs - done) / rate : 0;
        fprintf(stderr,
                "%sepoch %u of %u, %3.0f %%: %s %.4f a word, %.0f sentences/s, %d:%02d left",
                watch->terminal ? "\r\033[K" : "", p->epoch, p->epochs,
                100 * (double)p->done / (double)p->sentences, watch->loss, p->loss, rate,
                (int)left / 60, (int)left % 60);
        if (p->epoch_over && !isnan(p->accuracy)) {
            fprintf(stderr, "; dev: %s %.2f %%%s", watch->task->measure, 100 * p->accuracy,
                    p->accuracy < p->best ? "" : " (best)");
        }
        fputs(p->epoch_over ? "\n" : "", stderr);
        fflush(stderr);
    }
    return !signalled;
}

tz_status tz_train_tell_ranks(bool quiet, tz_error *opt_error) {
    tz_ranks_use use;
    if (tz_ranks() == 1)
        return TZ_OK;
    tz_status status = tz_ranks_used(&use, opt_error);
    if (status == TZ_OK && !quiet) {
        fprintf(stderr,
                "%zu ranks: %" PRIu64 " exchanges, of %.1f kB in the mean; of one rank at most "
                "%.0f MB of memory, %.1f s of processor time, and %.1f s in exchanges\n",
                tz_ranks(), use.calls, (double)use.bytes / 1e3 / (double)(use.calls + !use.calls),
                (double)use.memory / 1e6, use.busy, use.calling);
    }
    return status;
}
