/* lm_arpa_write.c - language models as ARPA files. SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/number.h"
#include "sentences/lm/lm_model.h"

static void put_log(FILE *file, float log10) {
    char text[TZ_NUMBER_SIZE];
    if (isinf(log10)) {
        fputs("-99", file);
        return;
    }
    tz_number_print_float(text, log10);
    fputs(text, file);
}

static void put_level(const tz_lm *lm, unsigned n, FILE *file) {
    /* The n-gram as a path: node[k] is that of its first k words. */
    uint32_t node[TZ_LM_ORDER + 1] = {0};
    const tz_lm_level *level = &lm->level[n];
    for (uint32_t i = 0; i < level->count && !ferror(file); i++) {
        node[n] = i;
        for (unsigned k = n; k-- > 1;)
            while (lm->level[k].child[node[k] + 1] <= node[k + 1])
                node[k]++;
        put_log(file, level->prob[i]);
        for (unsigned k = 1; k <= n; k++)
            fprintf(file, "%c%s", k == 1 ? '\t' : ' ', tz_lm_text(lm, lm->level[k].word[node[k]]));
        if (level->backoff && level->backoff[i] != 0) {
            putc('\t', file);
            put_log(file, level->backoff[i]);
        }
        putc('\n', file);
    }
}

tz_status tz_lm_write(const tz_lm *lm, FILE *file) {
    fputs("\\data\\\n", file);
    for (unsigned n = 1; n <= lm->order; n++)
        fprintf(file, "ngram %u=%zu\n", n, lm->level[n].count);
    for (unsigned n = 1; n <= lm->order; n++) {
        fprintf(file, "\n\\%u-grams:\n", n);
        put_level(lm, n, file);
    }
    fputs("\n\\end\\\n", file);
    return fflush(file) == 0 && !ferror(file) ? TZ_OK : TZ_IO;
}
