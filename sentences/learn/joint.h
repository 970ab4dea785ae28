/* joint.h - both tags of a word decided together: what the labels of the joint tagger stand for.
 *
 * The joint tagger's labels are the pairs of UPOS and XPOS in its treebank, such as "NOUN NN". So
 * no word has tags that do not go together. Where one is known, the other is found among those that
 * go with it. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_JOINT_H
#define TZ_SENTENCES_LEARN_JOINT_H

#include "sentences/learn/analyse.h"
#include "sentences/learn/decode.h"

typedef struct tz_joint {
    size_t labels;
    const char **upos, **xpos; /* [labels] */
    char *text;
} tz_joint;

/* Makes one from the labels of a joint tagger. TZ_NO_MEMORY. */
tz_status tz_joint_new(const tz_labels *labels, tz_joint *ret_joint);
/* Does nothing to a zeroed one. */
void tz_joint_free(tz_joint *joint);

/* Sets both tags by a sentence's answer, as far as they are to be found (tz_analysed.todo). */
void tz_joint_keep(const tz_joint *joint, tz_analysed *item, const int32_t *answer);

/* For tz_decoder_adjust, with a tz_joint_batch: where one of a word's tags is known already, labels
 * with another one become impossible for the word, unless none would be left. */
typedef struct tz_joint_batch {
    const tz_joint *joint;
    tz_analysed *const *item;
} tz_joint_batch;
void tz_joint_restrict(void *user, size_t i, tz_scored *scored);

#endif
