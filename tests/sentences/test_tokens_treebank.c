/* test_tokens_treebank.c - how often is a line of a treebank cut as its annotators cut it?
 *
 * A token is right if it has both the beginning and the end of one of theirs. The parts of a
 * multiword token count where they are what is written (do|n't), else the whole does (zum).
 * Reads ../shared/data; skips, saying so, where that is absent. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "io/conllu/conllu.h"
#include "sentences/text/tokens.h"

typedef struct counts {
    size_t lines, ours, theirs, both;
} counts;

enum { LINE = 1 << 14, TOKENS = 1 << 12 };

/* Where `form` ends if it stands at `at`, blanks of the line aside; 0 if it does not. */
static size_t match(const char *line, size_t at, const char *form) {
    for (; *form; form++) {
        if (*form == ' ')
            continue;
        for (; line[at] == ' '; at++) {
        }
        if (line[at++] != *form)
            return 0;
    }
    return at;
}

static size_t place(const char *line, const char *form, tz_token *token, size_t count) {
    size_t at = count > 0 ? token[count - 1].end : 0;
    at += strspn(line + at, " ");
    size_t end = match(line, at, form);
    token[count] = (tz_token){at, end > 0 ? end : at}; /* empty: annotators wrote something else */
    return count + 1;
}

static size_t treebank_tokens(const tz_conllu_sentence *s, const char *line, tz_token *token) {
    size_t count = 0;
    int32_t covered = 0;
    for (size_t r = 0; r < s->rows; r++) {
        const tz_conllu_row *row = &s->row[r];
        const char *form = row->column[TZ_FORM];
        if (row->kind == TZ_MULTIWORD) {
            char parts[256] = "";
            for (int32_t w = row->first; w <= row->last; w++)
                strncat(parts, s->word[w]->column[TZ_FORM], sizeof parts - strlen(parts) - 1);
            if (strcmp(parts, form) != 0) {
                count = place(line, form, token, count);
                covered = row->last;
            }
        } else if (row->kind == TZ_WORD && row->first > covered) {
            count = place(line, form, token, count);
        }
        assert_true(count + 1 < TOKENS);
    }
    return count;
}

static void compare(const tz_conllu_sentence *s, tz_tokeniser *tokeniser, counts *c) {
    static const char text[] = "# text = ";
    static tz_token theirs[TOKENS];
    const char *line = NULL;
    for (size_t r = 0; r < s->rows; r++)
        if (strncmp(s->row[r].column[0], text, sizeof text - 1) == 0)
            line = s->row[r].column[0] + sizeof text - 1;
    assert_non_null(line);
    size_t count = treebank_tokens(s, line, theirs), ours, o = 0;
    const tz_token *token;
    assert_ok(tz_tokenise(tokeniser, line, strlen(line), &token, &ours));
    for (size_t t = 0; t < count; t++) {
        while (o < ours && token[o].begin < theirs[t].begin)
            o++;
        c->both += o < ours && token[o].begin == theirs[t].begin && token[o].end == theirs[t].end;
    }
    c->lines++;
    c->ours += ours;
    c->theirs += count;
}

/* Measured: EWT 99.20, CRAFT 99.56, GSD (German, for which there are no rules) 98.66. */
static const struct {
    const char *path;
    double least;
} treebanks[] = {
    {"/../shared/data/ud-english-ewt/en_ewt-ud-dev.conllu", 99.1},
    {"/../shared/data/craft/craft-dev.conllu", 99.5},
    {"/../shared/data/ud-german-gsd/de_gsd-ud-dev.conllu", 98.5},
};

TEST(treebanks) {
    OWN(tz_tokeniser, tokeniser) = NULL;
    assert_ok(tz_tokeniser_new(&tokeniser, NULL));
    int found = 0;
    for (size_t t = 0; t < sizeof treebanks / sizeof *treebanks; t++) {
        char path[4096];
        snprintf(path, sizeof path, TZ_SOURCE_ROOT "%s", treebanks[t].path);
        FILE *file = fopen(path, "r");
        if (!file) {
            printf("# there is no %s\n", path);
            continue;
        }
        OWN(tz_lines, lines) = tz_lines_new(file, path, TZ_CONLLU_LINE);
        OWN(tz_conllu, conllu) = lines ? tz_conllu_new(lines) : NULL;
        const tz_conllu_sentence *sentence;
        counts c = {0};
        assert_non_null(conllu);
        while (tz_conllu_next(conllu, &sentence, NULL) == TZ_OK)
            compare(sentence, tokeniser, &c);
        double f1 = 200 * (double)c.both / (double)(c.ours + c.theirs);
        printf("# %s: %zu lines, %zu tokens, F1 %.2f\n", strrchr(path, '/') + 1, c.lines, c.theirs,
               f1);
        assert_true(c.lines > 500 && f1 >= treebanks[t].least);
        fclose(file);
        found++;
    }
    if (found == 0)
        skip();
}
