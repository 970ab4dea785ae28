/* write_json.c - a sentence as an object on one line: --format=json.
 *
 * What `trapeze eval compression` reads (tokens, keep, heads) is among it. SPDX-License-Identifier:
 * MIT */
#include <string.h>

#include "sentences/cli/analyse/write.h"

static void key(tz_text *text, const char *name) {
    tz_text_put(text, text->size > 0 && text->data[text->size - 1] == '{' ? "\"" : ",\"");
    tz_text_put(text, name);
    tz_text_put(text, "\":");
}

static void strings(tz_text *text, const char *name, const char *const *string, int32_t words) {
    key(text, name);
    for (int32_t w = 1; w <= words; w++) {
        tz_text_put(text, w > 1 ? "," : "[");
        tz_text_quote(text, string[w], strlen(string[w]));
    }
    tz_text_put(text, words > 0 ? "]" : "[]");
}

static void numbers(tz_text *text, const char *name, const int32_t *number, int32_t words) {
    key(text, name);
    for (int32_t w = 1; w <= words; w++) {
        tz_text_put(text, w > 1 ? "," : "[");
        tz_text_number(text, number[w]);
    }
    tz_text_put(text, words > 0 ? "]" : "[]");
}

static void probabilities(tz_text *text, const double *p, int32_t words) {
    key(text, "p");
    for (int32_t w = 0; w < words; w++) {
        tz_text_put(text, w > 0 ? "," : "[");
        tz_text_number(text, p[w]);
    }
    tz_text_put(text, words > 0 ? "]" : "[]");
}

/* Is any word's known? */
static bool known(const char *const *name, int32_t words) {
    for (int32_t w = 1; w <= words; w++)
        if (strcmp(name[w], "_") != 0)
            return true;
    return false;
}

static void compression(tz_text *text, const tz_input_sentence *item) {
    const tz_sentence *s = &item->analysed.sentence;
    tz_text line = {0};
    if (s->words > 0)
        tz_write_compression(item, &line);
    key(text, "compression");
    tz_text_quote(text, line.data, line.size);
    key(text, "keep");
    tz_text_put(text, "\"");
    for (int32_t w = 1; w <= s->words; w++)
        tz_text_put(text, s->compression[w] >= 0 ? "1" : "0");
    tz_text_put(text, "\"");
    numbers(text, "heads", s->compression, s->words);
    if (item->analysed.kept)
        probabilities(text, item->analysed.kept, s->words);
    text->failed = text->failed || line.failed;
    tz_text_free(&line);
}

void tz_write_json(tz_text *text, tz_asked asked, const tz_input_sentence *item) {
    const tz_analysed *a = &item->analysed;
    const tz_sentence *s = &a->sentence;
    tz_text_put(text, "{");
    key(text, "text");
    tz_text_quote(text, item->line, strlen(item->line));
    strings(text, "tokens", s->form, s->words);
    if (known(a->name[TZ_UPOS], s->words))
        strings(text, "upos", a->name[TZ_UPOS], s->words);
    if (known(a->name[TZ_XPOS], s->words))
        strings(text, "xpos", a->name[TZ_XPOS], s->words);
    if (asked != TZ_ASKED_TAGS)
        numbers(text, "tree", s->head, s->words);
    if (asked != TZ_ASKED_TAGS && known(a->name[TZ_DEPREL], s->words))
        strings(text, "labels", a->name[TZ_DEPREL], s->words);
    if (asked == TZ_ASKED_COMPRESSIONS)
        compression(text, item);
    tz_text_put(text, "}\n");
}
