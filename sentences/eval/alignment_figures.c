/* alignment_figures.c - how good alignments are; see alignment.h. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "sentences/eval/alignment.h"

enum { F1, PRECISION, RECALL, ERROR_RATE, EXACT };

#define FIGURES(key, name)                                                                         \
    {key ".f1", name ": F1", NULL}, {key ".precision", "  precision", "links"},                    \
        {key ".recall", "  recall", "links"}, {key ".aer", "  error rate", NULL}, {                \
        key ".exact", "  exact", "pairs"                                                           \
    }

const tz_figure tz_alignment_figure[TZ_ALIGNMENT_FIGURES] = {
    FIGURES("links", "links"),
    FIGURES("soft", "soft links"),
    FIGURES("content.links", "content words, links"),
    FIGURES("content.soft", "content words, soft links"),
};

#define MEANS(group)                                                                               \
    {{(group)*TZ_ALIGNMENT_RATIOS + PRECISION, (group)*TZ_ALIGNMENT_RATIOS + RECALL}}, {{0, 0}},   \
        {{0, 0}}, {{0, 0}}, {                                                                      \
        { 0, 0 }                                                                                   \
    }

const tz_harmonic tz_alignment_harmonic[TZ_ALIGNMENT_FIGURES] = {MEANS(0), MEANS(1), MEANS(2),
                                                                 MEANS(3)};

static void compare(const tz_links *system, const tz_links *sure, const tz_links *possible,
                    tz_ratio *ret_ratio) {
    double a = (double)system->count, s = (double)sure->count;
    double in_sure = (double)tz_links_common(system, sure),
           in_possible = (double)tz_links_common(system, possible);
    ret_ratio[PRECISION] = (tz_ratio){in_possible, a};
    ret_ratio[RECALL] = (tz_ratio){in_sure, s};
    ret_ratio[ERROR_RATE] = (tz_ratio){a + s - in_sure - in_possible, a + s};
    ret_ratio[EXACT] = (tz_ratio){in_possible == a && in_sure == s, 1};
}

/* Without those of words to be ignored. */
static tz_links content(const tz_gold_pair *pair, const tz_links *links, tz_link *room) {
    tz_links ret = {0, room};
    for (size_t l = 0; l < links->count; l++)
        if (!pair->ignore[0][links->link[l].document] && !pair->ignore[1][links->link[l].abstract])
            ret.link[ret.count++] = links->link[l];
    return ret;
}

static void measure(const tz_alignments *gold, const tz_gold_pair *pair, const tz_links *system,
                    tz_link *room, tz_ratio *ret_ratio) {
    for (size_t kind = 0; kind < TZ_LINK_KINDS; kind++) {
        const tz_links *sure = &pair->gold.sure[kind], *possible = &pair->gold.possible[kind];
        compare(&system[kind], sure, possible, ret_ratio + kind * TZ_ALIGNMENT_RATIOS);
        if (gold->texts && gold->ignores > 0) {
            tz_links a = content(pair, &system[kind], room);
            tz_links s = content(pair, sure, room + a.count);
            tz_links p = content(pair, possible, room + a.count + s.count);
            compare(&a, &s, &p, ret_ratio + (TZ_LINK_KINDS + kind) * TZ_ALIGNMENT_RATIOS);
        }
    }
}

tz_status tz_alignments_measure(const tz_alignments *gold, const tz_links *system,
                                tz_ratio *ret_ratio) {
    size_t count = gold->numbering.count, most = 0;
    for (size_t p = 0; p < count; p++) {
        for (size_t kind = 0; kind < TZ_LINK_KINDS; kind++) {
            size_t links = system[p * TZ_LINK_KINDS + kind].count +
                           gold->pair[p].gold.sure[kind].count +
                           gold->pair[p].gold.possible[kind].count;
            most = links > most ? links : most;
        }
    }
    tz_link *room = calloc(most + 1, sizeof *room);
    memset(ret_ratio, 0, count * TZ_ALIGNMENT_FIGURES * sizeof *ret_ratio);
    for (size_t p = 0; p < count && room; p++)
        measure(gold, &gold->pair[p], system + p * TZ_LINK_KINDS, room,
                ret_ratio + p * TZ_ALIGNMENT_FIGURES);
    free(room);
    return room ? TZ_OK : TZ_NO_MEMORY;
}
