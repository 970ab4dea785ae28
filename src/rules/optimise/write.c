/* write.c - a program as a rule file. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "rules/optimise/program.h"
#include "rules/polyhedra/form.h"
#include "rules/show/notation.h"

enum { EXPRESSION = 256, TERM = 1024 };

typedef struct writing {
    const tz_opt *opt;
    const tz_opt_program *program;
    tz_text *text;
} writing;

static void put(const writing *w, const char *text) {
    tz_text_put(w->text, text);
}

static void put_spaces(writing *w, size_t count) {
    for (size_t i = 0; i < count; i++)
        put(w, " ");
}

static size_t longer(size_t a, size_t b) {
    return a > b ? a : b;
}

/* ---- Terms ----------------------------------------------------------------------------------- */

/* "span[i,k+1]"; the number of its bytes. */
static size_t term_text(const tz_opt *opt, const tz_term *term, const char *const *column_name,
                        char ret_text[TERM]) {
    unsigned rank = tz_opt_rank(opt, term);
    size_t used = (size_t)snprintf(ret_text, TERM, "%s", tz_opt_name(opt, term));
    for (unsigned q = 0; q < rank && used < TERM; q++) {
        char index[EXPRESSION];
        tz_form_notation(&term->index[q], opt->rules->length_name, column_name, index,
                         sizeof index);
        used += (size_t)snprintf(ret_text + used, TERM - used, "%s%s%s", q == 0 ? "[" : ",", index,
                                 q + 1 == rank ? "]" : "");
    }
    return used < TERM ? used : TERM - 1;
}

static tz_term declared(tz_what what, unsigned which) {
    tz_term term = {.what = what, .which = (uint16_t)which};
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        term.index[q] = tz_form_column(q);
    return term;
}

const char *tz_opt_item_text(const tz_opt *opt, unsigned item) {
    char text[TERM];
    tz_term term = declared(TZ_INSIDE, item);
    term_text(opt, &term, opt->item[item].index_name, text);
    return tz_opt_text(opt, "%s", text);
}

const char *tz_opt_product_text(const tz_opt *opt, const tz_opt_rule *definition) {
    char text[4 * TERM] = "", term[TERM];
    size_t used = 0;
    const char *name[TZ_MAX_COLUMNS];
    uint32_t kept = tz_opt_term_set(&definition->conclusion);
    bool first = true;
    if (tz_opt_column_names(opt, definition->variable_name, definition->variables, name) != TZ_OK)
        return NULL;
    for (unsigned f = 0; f < definition->factors && used < sizeof text; f++) {
        term_text(opt, &definition->factor[f], name, term);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                 f == 0                     ? ""
                                 : f < definition->premises ? " "
                                                            : " * ",
                                 term);
    }
    for (unsigned v = 0; v < definition->variables && used < sizeof text; v++) {
        if (kept >> v & 1)
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                 first ? ", summed over " : ", ", name[v]);
        first = false;
    }
    return tz_opt_text(opt, "%s", text);
}

/* ---- Relations ------------------------------------------------------------------------------- */

typedef struct relation {
    char left[EXPRESSION], right[EXPRESSION];
    const char *between;
    bool written;
} relation;

/* The positive terms of sign * form, and its constant where that is positive. */
static void put_side(const writing *w, const tz_form *form, int sign, int32_t constant,
                     const char *const *column_name, char ret_text[EXPRESSION]) {
    tz_form side = {.constant = constant};
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        if (form->length[l] * sign > 0)
            side.length[l] = (int16_t)(form->length[l] * sign);
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
        if (form->column[c] * sign > 0)
            side.column[c] = (int16_t)(form->column[c] * sign);
    tz_form_notation(&side, w->opt->rules->length_name, column_name, ret_text, EXPRESSION);
}

static bool is_constant(const tz_form *form, int sign) {
    bool constant = true;
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        constant = constant && form->length[l] * sign <= 0;
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
        constant = constant && form->column[c] * sign <= 0;
    return constant;
}

/* form >= 0 as "what is negative of it <= what is positive". */
static void relate(const writing *w, const tz_constraint *constraint,
                   const char *const *column_name, relation *ret) {
    const tz_form *form = &constraint->form;
    int32_t c = form->constant;
    *ret = (relation){.between = constraint->relation == TZ_GE   ? "<="
                                 : constraint->relation == TZ_EQ ? "="
                                                                 : "!="};
    bool strict = constraint->relation == TZ_GE && c == -1 && !is_constant(form, -1);
    if (strict)
        ret->between = "<";
    if (is_constant(form, 1)) { /* nothing positive: a bound from above by a constant */
        put_side(w, form, -1, 0, column_name, ret->left);
        put_side(w, form, 1, c, column_name, ret->right);
    } else if (is_constant(form, -1)) {
        put_side(w, form, -1, -c, column_name, ret->left);
        put_side(w, form, 1, 0, column_name, ret->right);
    } else {
        put_side(w, form, -1, c < 0 && !strict ? -c : 0, column_name, ret->left);
        put_side(w, form, 1, c > 0 ? c : 0, column_name, ret->right);
    }
}

/* Does another relation that is still to be written end where this one begins? */
static bool is_continued(const relation *all, unsigned count, unsigned which) {
    for (unsigned i = 0; i < count; i++)
        if (i != which && !all[i].written && all[i].between[0] == '<' &&
            strcmp(all[i].right, all[which].left) == 0)
            return true;
    return false;
}

/* "0 <= i < j <= n, h != j" */
static tz_status put_domain(const writing *w, const tz_domain *domain,
                            const char *const *column_name) {
    relation all[TZ_MAX_CONSTRAINTS];
    if (domain->count > TZ_MAX_CONSTRAINTS)
        return TZ_TOO_LARGE;
    for (unsigned i = 0; i < domain->count; i++)
        relate(w, &domain->at[i], column_name, &all[i]);
    for (unsigned left = domain->count, total = left; left > 0;) {
        unsigned next = total;
        for (unsigned i = total; i-- > 0;)
            if (!all[i].written && !is_continued(all, total, i))
                next = i;
        for (unsigned i = total; next == total && i-- > 0;) /* a circle: begin anywhere */
            if (!all[i].written)
                next = i;
        put(w, left < total ? ", " : "");
        put(w, all[next].left);
        for (bool more = true; more;) {
            put(w, " ");
            put(w, all[next].between);
            put(w, " ");
            put(w, all[next].right);
            all[next].written = true;
            left--;
            more = false;
            for (unsigned i = 0; i < total && !more && all[next].between[0] == '<'; i++)
                if (!all[i].written && all[i].between[0] == '<' &&
                    strcmp(all[i].left, all[next].right) == 0) {
                    next = i;
                    more = true;
                }
        }
    }
    return TZ_OK;
}

/* ---- The header ------------------------------------------------------------------------------ */

static void put_comment(writing *w, const char *comment) {
    if (comment[0] == '\0')
        return;
    put(w, "  # ");
    put(w, comment);
}

/* "fold of rule left: span[i,m,k] * arc[h,m], summed over m" */
static tz_status put_item_comment(writing *w, const tz_opt_item *item) {
    const char *is =
        item->definition == NULL ? item->comment : tz_opt_product_text(w->opt, item->definition);
    if (is == NULL)
        return TZ_NO_MEMORY;
    put_comment(w, item->step[0] != '\0' ? item->step : is);
    put(w, item->step[0] != '\0' ? ": " : "");
    put(w, item->step[0] != '\0' ? is : "");
    return TZ_OK;
}

static tz_status put_items(writing *w) {
    char text[TERM];
    size_t width = 0;
    tz_status status = TZ_OK;
    for (int writes = 0; writes < 2; writes++)
        for (unsigned i = 0; i < w->opt->items && status == TZ_OK; i++) {
            const tz_opt_item *item = &w->opt->item[i];
            tz_term term = declared(TZ_INSIDE, i);
            size_t size = term_text(w->opt, &term, item->index_name, text);
            if (!tz_opt_derives(w->program, i))
                continue;
            width = longer(width, size);
            if (!writes)
                continue;
            put(w, "item    ");
            put(w, text);
            if (item->domain.count > 0) {
                put_spaces(w, width - size + 2);
                if (item->domain_text != NULL)
                    put(w, item->domain_text);
                else
                    status = put_domain(w, &item->domain, item->index_name);
            }
            if (status == TZ_OK)
                status = put_item_comment(w, item);
            put(w, "\n");
        }
    return status;
}

/* ---- Rules ----------------------------------------------------------------------------------- */

/* The rule's name, or with a number where an earlier rule has it. */
static void rule_name(const writing *w, unsigned r, char ret_text[TERM]) {
    const char *name = w->program->rule[r]->name;
    unsigned before = 0;
    for (unsigned q = 0; q < r; q++)
        before += strcmp(w->program->rule[q]->name, name) == 0;
    snprintf(ret_text, TERM, before > 0 ? "%s-%u" : "%s", name, before + 1);
}

/* In how many indices the variable stands. */
static unsigned indices_of(const tz_opt *opt, const tz_opt_rule *rule, unsigned variable) {
    unsigned indices = 0;
    for (unsigned f = 0; f <= rule->factors; f++) {
        const tz_term *term = f < rule->factors ? &rule->factor[f] : &rule->conclusion;
        for (unsigned q = 0; q < tz_opt_rank(opt, term); q++)
            indices += term->index[q].column[variable] != 0;
    }
    return indices;
}

/* Names the variables so that none is warned of, which stands in one place: `_`, or where that must
 * not stand, in conditions, a name that begins with it. */
static tz_status name_variables(const tz_opt *opt, const tz_opt_rule *rule, const char **ret_name) {
    tz_status status = tz_opt_column_names(opt, rule->variable_name, rule->variables, ret_name);
    for (unsigned v = 0; v < rule->variables && status == TZ_OK; v++) {
        const unsigned indices = indices_of(opt, rule, v);
        bool condition = false;
        for (unsigned c = 0; c < rule->conditions; c++)
            condition |= rule->condition[c].form.column[v] != 0;
        if (condition && indices == 0 && *ret_name[v] != '_')
            ret_name[v] = tz_opt_text(opt, "_%s", ret_name[v]);
        else if (!condition && indices == 1)
            ret_name[v] = "_";
        status = ret_name[v] != NULL ? TZ_OK : TZ_NO_MEMORY;
    }
    return status;
}

static tz_status put_rule(writing *w, unsigned r, const tz_notation *to, tz_figure *f) {
    const tz_opt_rule *rule = w->program->rule[r];
    const char *name[TZ_MAX_COLUMNS];
    char text[TERM];
    tz_status status = name_variables(w->opt, rule, name);
    if (status != TZ_OK)
        return status;
    for (unsigned i = 0; i < rule->factors; i++) {
        term_text(w->opt, &rule->factor[i], name, text);
        if (i < rule->premises)
            tz_figure_premise(f, text);
        else
            tz_figure_weight(f, to, text);
    }
    if (rule->conditions > 0) {
        const writing condition = {w->opt, w->program, &f->beside};
        put(&condition, "  if ");
        status = put_domain(&condition, &(tz_domain){rule->condition, rule->conditions}, name);
    }
    term_text(w->opt, &rule->conclusion, name, text);
    tz_text_put(&f->below, text);
    rule_name(w, r, text);
    tz_put_figure(to, f, rule->note, text);
    return status;
}

tz_status tz_opt_write(tz_opt *opt, const tz_opt_program *program, const char *name,
                       tz_text *text) {
    writing w = {opt, program, text};
    tz_status status = tz_opt_name_items(opt, program);
    const tz_notation to = {.rules = opt->rules, .text = text};
    tz_figure figure = {0};
    char goal[TERM];
    tz_put_title(&to, name, "");
    tz_put_claims(&to, true);
    put(&w, "\n");
    tz_put_lengths(&to, NULL);
    tz_put_declarations(&to); /* those that no rule uses, too: a problem is the same for both */
    if (status == TZ_OK)
        status = put_items(&w);
    term_text(opt, &program->goal, NULL, goal);
    tz_put_keyword(&to, "goal");
    put(&w, goal);
    put(&w, "\n");
    tz_put_resources(&to);
    for (unsigned r = 0; r < program->rules && status == TZ_OK; r++)
        status = put_rule(&w, r, &to, &figure);
    tz_figure_free(&figure);
    return status == TZ_OK && text->failed ? TZ_NO_MEMORY : status;
}
