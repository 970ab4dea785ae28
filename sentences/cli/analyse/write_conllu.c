/* write_conllu.c - a sentence as CoNLL-U: --format=conllu. What was read as CoNLL-U keeps its other
 * rows and columns. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "io/conllu/conllu_write.h"
#include "sentences/cli/analyse/write.h"

/* MISC without `Kept=`, then with that of a kept word. */
static void misc(tz_text *text, const char *old, const int32_t *opt_compression, int32_t word) {
    static const char kept[] = "Kept=";
    tz_text_clear(text);
    while (*old) {
        size_t size = strcspn(old, "|");
        if (strncmp(old, kept, sizeof kept - 1) != 0 && !(size == 1 && *old == '_')) {
            tz_text_put(text, text->size > 0 ? "|" : "");
            tz_text_add(text, old, size);
        }
        old += size + (old[size] == '|');
    }
    if (opt_compression && opt_compression[word] >= 0) {
        char head[32];
        snprintf(head, sizeof head, "%s%s%d", text->size > 0 ? "|" : "", kept,
                 (int)opt_compression[word]);
        tz_text_put(text, head);
    }
    tz_text_add(text, text->size > 0 ? "" : "_", text->size > 0 ? 1 : 2);
}

/* Then what was said of another tree goes: DEPS, the empty nodes that they lead to, `Kept=`. */
static bool is_parsed_anew(const tz_input_sentence *item) {
    return item->analysed.todo >> TZ_STAGE_PARSE & 1;
}

static void write_word(tz_text *text, tz_text *scratch, tz_asked asked,
                       const tz_input_sentence *item, const tz_conllu_row *row) {
    const tz_analysed *a = &item->analysed;
    const char *column[TZ_COLUMNS] = {NULL};
    char head[16];
    int32_t w = row->first;
    column[TZ_UPOS] = a->name[TZ_UPOS][w];
    column[TZ_XPOS] = a->name[TZ_XPOS][w];
    if (asked != TZ_ASKED_TAGS) {
        snprintf(head, sizeof head, "%d", (int)a->sentence.head[w]);
        column[TZ_HEAD] = a->sentence.head[w] >= 0 ? head : "_";
        column[TZ_DEPREL] = a->name[TZ_DEPREL][w];
    }
    if (is_parsed_anew(item))
        column[TZ_DEPS] = "_";
    if (asked == TZ_ASKED_COMPRESSIONS || is_parsed_anew(item)) {
        misc(scratch, row->column[TZ_MISC],
             asked == TZ_ASKED_COMPRESSIONS ? a->sentence.compression : NULL, w);
        column[TZ_MISC] = scratch->failed ? "_" : scratch->data;
        text->failed = text->failed || scratch->failed;
    }
    tz_conllu_write(text, row, column);
}

static tz_conllu_row empty_row(tz_conllu_kind kind, int32_t first, int32_t last) {
    tz_conllu_row row = {.kind = kind, .first = first, .last = last, .head = -1};
    for (int c = 0; c < TZ_COLUMNS; c++)
        row.column[c] = "_";
    return row;
}

static const char *space_after(const tz_input_sentence *item, int32_t w) {
    bool space =
        w == item->analysed.sentence.words || item->token[w].begin > item->token[w - 1].end;
    return space ? "_" : "SpaceAfter=No";
}

/* The last word of the token that word w is of. */
static int32_t last_within(const tz_analysed *a, int32_t w) {
    while (a->within && w < a->sentence.words && a->within[w + 1])
        w++;
    return w;
}

/* Of words first..last. */
static void write_token(tz_text *text, const tz_input_sentence *item, int32_t first, int32_t last) {
    tz_conllu_row row = empty_row(TZ_MULTIWORD, first, last);
    char range[32];
    tz_text form = {0};
    const size_t begin = item->token[first - 1].begin;
    snprintf(range, sizeof range, "%d-%d", (int)first, (int)last);
    tz_text_add(&form, item->line + begin, item->token[last - 1].end - begin);
    tz_text_add(&form, "", 1);
    row.column[TZ_ID] = range;
    row.column[TZ_FORM] = form.failed ? "_" : form.data;
    row.column[TZ_MISC] = space_after(item, last);
    tz_conllu_write(text, &row, NULL);
    text->failed = text->failed || form.failed;
    tz_text_free(&form);
}

/* The rows that text has not. */
static void write_tokens(tz_text *text, tz_text *scratch, tz_asked asked,
                         const tz_input_sentence *item) {
    const tz_sentence *s = &item->analysed.sentence;
    char number[64];
    snprintf(number, sizeof number, "# sent_id = %zu", item->number);
    tz_text_put(text, number);
    if (item->before > 0)
        snprintf(number, sizeof number, ".%zu", item->before + 1);
    tz_text_put(text, item->before > 0 ? number : "");
    tz_text_put(text, "\n");
    tz_text_put(text, "# text = ");
    tz_text_put(text, item->line);
    tz_text_put(text, "\n");
    for (int32_t w = 1; w <= s->words; w++) {
        int32_t last = last_within(&item->analysed, w);
        bool begins = !item->analysed.within || !item->analysed.within[w];
        if (begins && last > w)
            write_token(text, item, w, last);
        tz_conllu_row row = empty_row(TZ_WORD, w, w);
        snprintf(number, sizeof number, "%d", (int)w);
        row.column[TZ_ID] = number;
        row.column[TZ_FORM] = s->form[w];
        row.column[TZ_MISC] = begins && last == w ? space_after(item, w) : "_";
        write_word(text, scratch, asked, item, &row);
    }
}

void tz_write_conllu(tz_text *text, tz_asked asked, const tz_input_sentence *item) {
    const tz_sentence *s = &item->analysed.sentence;
    tz_text scratch = {0};
    if (s->rows == 0)
        write_tokens(text, &scratch, asked, item);
    for (size_t r = 0; r < s->rows; r++)
        if (s->row[r].kind == TZ_WORD)
            write_word(text, &scratch, asked, item, &s->row[r]);
        else if (s->row[r].kind != TZ_EMPTY_NODE || !is_parsed_anew(item))
            tz_conllu_write(text, &s->row[r], NULL);
    tz_text_put(text, "\n");
    tz_text_free(&scratch);
}
