/* optimise.c - `trapeze rules optimise`: rules of lower degree with the same structures.
 * SPDX-License-Identifier: MIT */
#include "cli/rules/optimise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/replace.h"
#include "base/text.h"
#include "cli/lengths.h"
#include "cli/rules/rules.h"
#include "measure/workload.h"
#include "rules/optimise/optimise.h"
#include "rules/tell/cost.h"

enum {
    SECONDS = 60,
    RULES = 64,
    PROGRAMS = 200,   /* looked at */
    PRODUCTS_AT = 40, /* the length that products are told for */
    LABELS = 2,
    DEGREE = 256,
    MOST_REFUSED = 2,  /* of these: to find that there is no order takes long */
    MOST_MEASURED = 16 /* programs whose products are counted */
};

static const char name[] = "trapeze rules optimise";

typedef struct choice {
    const char *name, *output; /* name: of the rule set; output: NULL: stdout */
    long seconds, most;
    bool products; /* of the same degree will do */
} choice;

/* ---- Progress -------------------------------------------------------------------------------- */

typedef struct watch {
    double start, last;
    bool shown;
} watch;

static void show_progress(void *user, const tz_optimise_progress *progress) {
    watch *w = user;
    double time = tz_seconds();
    if (time - w->start <= 2 || time - w->last <= 0.2)
        return;
    fprintf(stderr, "\r%s: %zu programs, the best has %s ", name, progress->programs,
            progress->degree);
    w->last = time;
    w->shown = true;
}

static void end_progress(watch *w) {
    if (w->shown)
        fprintf(stderr, "\r\033[K");
    w->shown = false;
}

/* ---- What is said of the result -------------------------------------------------------------- */

typedef struct cost {
    char time[DEGREE], products[64];
} cost;

static void find_cost(const tz_rules *rules, const int32_t *lengths, cost *ret) {
    double products;
    if (tz_rules_degree(rules, false, ret->time, sizeof ret->time) != TZ_OK)
        snprintf(ret->time, sizeof ret->time, "too large to tell");
    if (tz_rules_products(rules, lengths, &products) == TZ_OK)
        snprintf(ret->products, sizeof ret->products, "%.0f", products);
    else
        snprintf(ret->products, sizeof ret->products, "too many to count");
}

static void put_line(tz_text *text, const char *what, const char *format, const char *one,
                     const char *other, const char *more) {
    char line[4 * DEGREE];
    snprintf(line, sizeof line, format, one, other, more);
    tz_text_put(text, "# ");
    tz_text_put(text, what);
    tz_text_put(text, line);
    tz_text_put(text, "\n");
}

/* The comment at the head of the file. */
static void put_summary(const tz_rules *before, const tz_rules *after, const tz_optimised *found,
                        size_t which, const tz_same *same, tz_text *text) {
    int32_t lengths[TZ_MAX_LENGTHS];
    char at[TZ_LENGTHS_TEXT], was[DEGREE], is[DEGREE];
    cost old, new;
    tz_workload_lengths(before, PRODUCTS_AT, LABELS, lengths);
    tz_lengths_text(before, lengths, at, sizeof at);
    find_cost(before, lengths, &old);
    find_cost(after, lengths, &new);
    tz_optimised_degree_before(found, was, sizeof was);
    tz_optimised_degree(found, which, is, sizeof is);
    put_line(text, "", "Found by `trapeze rules optimise` from %s.", before->name, "", "");
    put_line(text, "  degree    ", "%s, was %s, of the rules as they are written%s", is, was, "");
    put_line(text, "  time      ", "%s, was %s, as Trapeze computes them%s", new.time, old.time,
             "");
    put_line(text, "  products  ", "%s, was %s, at %s", new.products, old.products, at);
    put_line(text, "  the same  ", "%s", same->text, "", "");
    const char *line = tz_optimised_steps(found, which);
    for (unsigned step = 0; *line != '\0'; step++) {
        size_t size = strcspn(line, "\n");
        tz_text_put(text, step == 0 ? "#   steps     " : "#             ");
        tz_text_add(text, line, size);
        tz_text_put(text, "\n");
        line += size + (line[size] == '\n');
    }
    tz_text_put(text, "\n");
}

/* ---- Which result ----------------------------------------------------------------------------
 *
 * Of those of the lowest degree, the one with the fewest steps, unless more of them save a tenth of
 * the products or more: what came about in few steps is read more easily. None with more products
 * than the rules have.
 */

typedef struct candidate {
    bool measured, dropped;
    double products;
    tz_text text;
    tz_rules *rules;
} candidate;

/* Its rule file, compiled; dropped where there is none: no order of evaluation, a line too long. */
static tz_status measure(const tz_rules *rules, tz_optimised *found, size_t which, candidate *c,
                         tz_error *error) {
    int32_t lengths[TZ_MAX_LENGTHS];
    if (c->measured)
        return TZ_OK;
    c->measured = true;
    tz_status status = tz_optimised_write(found, which, &c->text);
    if (status == TZ_OK)
        status = tz_rules_parse("the result", c->text.data, c->text.size, &c->rules, error);
    tz_workload_lengths(rules, PRODUCTS_AT, LABELS, lengths);
    if (status == TZ_OK && tz_rules_products(c->rules, lengths, &c->products) != TZ_OK)
        c->products = INFINITY;
    c->dropped = status != TZ_OK;
    return status == TZ_BAD_RULES || status == TZ_TOO_LARGE ? TZ_OK : status;
}

/* Is candidate i to be preferred to the one chosen so far, with fewer steps; or to the rules, if
 * none is? */
static bool is_better(const tz_optimised *found, const candidate *all, size_t count, size_t i,
                      size_t chosen, double before) {
    if (all[i].products > before)
        return false;
    if (chosen == count)
        return tz_optimised_is_lower(found, i) || all[i].products < 0.9 * before;
    unsigned highest = tz_optimised_highest(found, i), other = tz_optimised_highest(found, chosen);
    return highest < other || (highest == other && all[i].products < 0.9 * all[chosen].products);
}

/* *ret_which: `count` where none is left. */
static tz_status choose(const tz_rules *rules, tz_optimised *found, candidate *all, size_t count,
                        size_t *ret_which, tz_error *error) {
    unsigned refused = 0, last = 0;
    int32_t lengths[TZ_MAX_LENGTHS];
    double before;
    *ret_which = count;
    tz_workload_lengths(rules, PRODUCTS_AT, LABELS, lengths);
    if (tz_rules_products(rules, lengths, &before) != TZ_OK)
        before = INFINITY;
    for (size_t i = 0; i < count; i++)
        last = tz_optimised_depth(found, i) > last ? tz_optimised_depth(found, i) : last;
    for (unsigned depth = 0; depth <= last; depth++)
        for (size_t i = 0; i < count; i++) {
            if (tz_optimised_depth(found, i) != depth ||
                (*ret_which < count && refused == MOST_REFUSED))
                continue;
            tz_status status = measure(rules, found, i, &all[i], error);
            if (status != TZ_OK)
                return status;
            refused += all[i].dropped;
            if (!all[i].dropped && is_better(found, all, count, i, *ret_which, before))
                *ret_which = i;
        }
    return TZ_OK;
}

/* The chosen one, if it says the same; else it is dropped, and told: that is a defect. */
static tz_status judge(const tz_rules *rules, const tz_optimised *found, size_t which, candidate *c,
                       tz_text *ret, tz_error *error) {
    tz_same same;
    tz_status status = tz_check_same(rules, c->rules, &same, error);
    if (status != TZ_OK)
        return status;
    if (!same.same) {
        tz_message(name, "%s: a result was dropped: %s: a defect of Trapeze", rules->name,
                   same.text);
        c->dropped = true;
        return TZ_OK;
    }
    put_summary(rules, c->rules, found, which, &same, ret);
    tz_text_add(ret, c->text.data, c->text.size);
    return ret->failed ? TZ_NO_MEMORY : TZ_OK;
}

/* *ret stays empty where there is none. */
static tz_status find_result(const tz_rules *rules, tz_optimised *found, tz_text *ret,
                             tz_error *error) {
    candidate all[MOST_MEASURED] = {{.dropped = false}};
    size_t count = tz_optimised_count(found), which;
    tz_status status = TZ_OK;
    count = count < MOST_MEASURED ? count : MOST_MEASURED;
    do {
        status = choose(rules, found, all, count, &which, error);
        if (status == TZ_OK && which < count)
            status = judge(rules, found, which, &all[which], ret, error);
    } while (status == TZ_OK && which < count && all[which].dropped);
    for (size_t i = 0; i < count; i++) {
        tz_text_free(&all[i].text);
        tz_rules_free(all[i].rules);
    }
    return status;
}

static int write_result(const choice *choice, const tz_text *text) {
    tz_error error;
    if (choice->output == NULL) {
        tz_text_write(text, stdout);
        return tz_flush_results(name);
    }
    tz_status status = tz_replace_text(choice->output, text, &error);
    return status == TZ_OK ? 0 : tz_failed(name, status, &error);
}

static int optimise(const choice *choice, const tz_rules *rules) {
    watch watch = {.start = tz_seconds()};
    tz_optimising how = {.rules = (unsigned)choice->most,
                         .programs = PROGRAMS,
                         .seconds = (double)choice->seconds,
                         .same = choice->products,
                         .opt_progress = isatty(STDERR_FILENO) ? show_progress : NULL,
                         .user = &watch};
    tz_optimised *found;
    tz_text text = {0};
    tz_error error = {TZ_OK, ""};
    const char *without = tz_optimise_without(rules);
    if (without != NULL) {
        tz_message(name, "%s: rules with %s are not rewritten", rules->name, without);
        return TZ_EXIT_INPUT;
    }
    tz_status status = tz_optimise(rules, &how, &found);
    end_progress(&watch);
    if (status != TZ_OK)
        return tz_failed(name, status, NULL);
    bool late;
    size_t programs = tz_optimised_programs(found, &late);
    status = find_result(rules, found, &text, &error);
    tz_optimised_free(found);
    if (late)
        tz_message(name,
                   "%s: the search ended after %ld seconds and %zu programs: give it more "
                   "by --time",
                   rules->name, choice->seconds, programs);
    int code = 0;
    if (status != TZ_OK)
        code = tz_failed(name, status, &error);
    else if (text.size == 0)
        printf("nothing of lower degree%s found among %zu programs\n",
               choice->products ? " or with fewer products" : "", programs);
    else
        code = write_result(choice, &text);
    tz_text_free(&text);
    return code;
}

/* ---- The command ----------------------------------------------------------------------------- */

int tz_rules_optimise(int argc, char **argv) {
    enum { TIME, MOST, PRODUCTS, OUTPUT, OPTIONS };
    static const tz_option option[OPTIONS] = {
        [TIME] = {"time", 0, "SECONDS", "search for at most SECONDS (60)",
                  TZ_NUMBER_AT(choice, seconds, 1, 86400)},
        [MOST] = {"rules", 0, "N", "the most rules that the result may have (64; at most 256)",
                  TZ_NUMBER_AT(choice, most, 1, TZ_OPTIMISE_RULES)},
        [PRODUCTS] = {"products", 0, NULL,
                      "take rules of the same degree, too, that need a tenth fewer\n"
                      "products or less",
                      TZ_FLAG_AT(choice, products)},
        [OUTPUT] = {"output", 'o', "FILE", "write the rule file to FILE instead of standard output",
                    TZ_TEXT_AT(choice, output)},
    };
    tz_options options = {
        .command = name,
        .synopsis = "[OPTION]... RULES",
        .about =
            "Searches for rules of lower degree that derive the same structures, each as often:\n"
            "by fold, unfold, speculation and accumulation. Prints them as a rule file whose\n"
            "comments say which step led to each item.\n",
        .notes =
            "The result is compared with the rules by enumeration and by values. Where there is\n"
            "none, 'nothing of lower degree found' is all that is printed, no file is written,\n"
            "and the exit code is 0.\n",
        TZ_COMMAND_ROWS(option, argc, argv),
        TZ_RULES_OPERAND(choice),
    };
    choice choice = {.seconds = SECONDS, .most = RULES};
    tz_rules *rules;
    if (!tz_take_options(&options, NULL, &choice))
        return options.status;
    if (choice.output != NULL && strcmp(choice.output, "-") == 0)
        choice.output = NULL;
    int status = tz_open_rules(name, choice.name, false, &rules);
    if (status != 0)
        return status;
    status = optimise(&choice, rules);
    tz_rules_free(rules);
    return status;
}
