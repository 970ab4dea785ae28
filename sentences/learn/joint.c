/* joint.c - see joint.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EMIT = 2 }; /* of the weights of rules/chain.rules */

tz_status tz_joint_new(const tz_labels *labels, tz_joint *ret_joint) {
    size_t count = labels->count, size = 1;
    for (size_t a = 0; a < count; a++)
        size += strlen(labels->name[a]) + 1;
    *ret_joint = (tz_joint){.labels = count,
                            .upos = (const char **)calloc(count + 1, sizeof(char *)),
                            .xpos = (const char **)calloc(count + 1, sizeof(char *)),
                            .text = malloc(size)};
    if (!ret_joint->upos || !ret_joint->xpos || !ret_joint->text) {
        tz_joint_free(ret_joint);
        return TZ_NO_MEMORY;
    }
    char *at = ret_joint->text;
    for (size_t a = 0; a < count; a++) {
        size_t whole = strlen(labels->name[a]);
        memcpy(at, labels->name[a], whole + 1);
        char *gap = strchr(at, ' ');
        ret_joint->upos[a] = at;
        ret_joint->xpos[a] =
            gap ? gap + 1 : at; /* without a gap it is no label of a joint tagger */
        if (gap)
            *gap = '\0';
        at += whole + 1;
    }
    return TZ_OK;
}

void tz_joint_free(tz_joint *joint) {
    free((void *)joint->upos);
    free((void *)joint->xpos);
    free(joint->text);
    *joint = (tz_joint){0};
}

void tz_joint_keep(const tz_joint *joint, tz_analysed *item, const int32_t *answer) {
    bool upos = item->todo >> TZ_STAGE_TAG & 1, xpos = item->todo >> TZ_STAGE_FINE & 1;
    for (int32_t w = 1; w <= item->sentence.words; w++) {
        if (upos)
            item->name[TZ_UPOS][w] = joint->upos[answer[w]];
        if (xpos)
            item->name[TZ_XPOS][w] = joint->xpos[answer[w]];
        tz_sentence_column(&item->sentence, w, TZ_UPOS, item->name[TZ_UPOS][w]);
        tz_sentence_column(&item->sentence, w, TZ_XPOS, item->name[TZ_XPOS][w]);
    }
    tz_sentence_tagged(&item->sentence);
}

/* NULL: not known. */
static bool agrees(const tz_joint *joint, size_t a, const char *opt_upos, const char *opt_xpos) {
    return (!opt_upos || strcmp(joint->upos[a], opt_upos) == 0) &&
           (!opt_xpos || strcmp(joint->xpos[a], opt_xpos) == 0);
}

/* The tag of word w in a column, where it is not to be found anew. */
static const char *known(const tz_analysed *item, tz_stage stage, int column, int32_t w) {
    return item->todo >> stage & 1 ? NULL : item->name[column][w];
}

void tz_joint_restrict(void *user, size_t i, tz_scored *scored) {
    const tz_joint_batch *batch = user;
    const tz_joint *joint = batch->joint;
    const tz_analysed *item = batch->item[i];
    const tz_shape *shape = &scored->shape[EMIT]; /* of words and labels */
    for (int32_t w = 1; w <= item->sentence.words; w++) {
        const char *upos = known(item, TZ_STAGE_TAG, TZ_UPOS, w);
        const char *xpos = known(item, TZ_STAGE_FINE, TZ_XPOS, w);
        double *score =
            scored->data[EMIT] + (size_t)(w - shape->origin[0]) * (size_t)shape->extent[1];
        size_t left = 0;
        for (size_t a = 0; a < joint->labels; a++)
            left += agrees(joint, a, upos, xpos);
        for (size_t a = 0; a < joint->labels && left > 0; a++)
            if (!agrees(joint, a, upos, xpos))
                score[a] = -INFINITY;
    }
}
