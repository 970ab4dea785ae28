/* features_split.c - what the end of a sentence can be told by. SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_split.h"

#define SEEN(OF)                                                                                   \
    OF(WORD, w->lower)                                                                             \
    OF(LEFT, w[-1].lower)                                                                          \
    OF(LEFT2, w[-2].lower)                                                                         \
    OF(RIGHT, w[1].lower)                                                                          \
    OF(RIGHT2, w[2].lower)                                                                         \
    OF(FORM, w->form)                                                                              \
    OF(RIGHT_FORM, w[1].form)                                                                      \
    OF(SHAPE, w->shape)                                                                            \
    OF(LEFT_SHAPE, w[-1].shape)                                                                    \
    OF(LEFT2_SHAPE, w[-2].shape)                                                                   \
    OF(RIGHT_SHAPE, w[1].shape)                                                                    \
    OF(RIGHT2_SHAPE, w[2].shape)                                                                   \
    OF(RIGHT3_SHAPE, w[3].shape)                                                                   \
    OF(SUFFIX, w->suffix[2])                                                                       \
    OF(LEFT_SUFFIX, w[-1].suffix[2])                                                               \
    OF(RIGHT_SUFFIX, w[1].suffix[2])                                                               \
    OF(RULE, w->upos) /* what rules and white space say */                                         \
    OF(LEFT_RULE, w[-1].upos)                                                                      \
    OF(RIGHT_RULE, w[1].upos)
enum { SEEN(TZ_ATOM_NAME) ATOMS };

static const tz_template templates[] = {
    TZ_TEMPLATE(RULE),
    TZ_TEMPLATE(WORD),
    TZ_TEMPLATE(RIGHT),
    TZ_TEMPLATE(RIGHT_FORM),
    TZ_TEMPLATE(LEFT),
    TZ_TEMPLATE(LEFT2),
    TZ_TEMPLATE(RIGHT2),
    TZ_TEMPLATE(RULE, WORD),
    TZ_TEMPLATE(RULE, LEFT),
    TZ_TEMPLATE(RULE, RIGHT),
    TZ_TEMPLATE(RULE, RIGHT_FORM),
    TZ_TEMPLATE(RULE, SHAPE, RIGHT_SHAPE),
    TZ_TEMPLATE(RULE, LEFT_SHAPE, SHAPE, RIGHT_SHAPE),
    TZ_TEMPLATE(WORD, RIGHT),
    TZ_TEMPLATE(FORM, RIGHT_FORM),
    TZ_TEMPLATE(LEFT, WORD),
    TZ_TEMPLATE(LEFT, WORD, RIGHT_SHAPE),
    TZ_TEMPLATE(WORD, RIGHT_SHAPE),
    TZ_TEMPLATE(SHAPE, RIGHT),
    TZ_TEMPLATE(SHAPE, RIGHT_FORM),
    TZ_TEMPLATE(RIGHT, RIGHT2),
    TZ_TEMPLATE(SHAPE, RIGHT, RIGHT2),
    TZ_TEMPLATE(LEFT_SHAPE, SHAPE, RIGHT_SHAPE, RIGHT2_SHAPE),
    TZ_TEMPLATE(LEFT2_SHAPE, LEFT_SHAPE, SHAPE, RIGHT_SHAPE),
    TZ_TEMPLATE(SHAPE, RIGHT_SHAPE, RIGHT2_SHAPE, RIGHT3_SHAPE),
    TZ_TEMPLATE(SUFFIX),
    TZ_TEMPLATE(LEFT_SUFFIX),
    TZ_TEMPLATE(RIGHT_SUFFIX),
    TZ_TEMPLATE(SUFFIX, RIGHT_SHAPE),
    TZ_TEMPLATE(LEFT_SUFFIX, WORD, RIGHT_SUFFIX),
    TZ_TEMPLATE(LEFT_RULE, RULE, RIGHT_RULE),
    TZ_TEMPLATE(RULE, RIGHT_RULE, RIGHT_SHAPE),
};

static void see(const tz_sentence *sentence, unsigned place, int32_t position, uint64_t *atom) {
    (void)place;
    const tz_word *w = &sentence->word[position];
    SEEN(TZ_ATOM_IS)
}

const tz_template_set tz_split_set = {
    .name = "split",
    .template = templates,
    .templates = sizeof templates / sizeof *templates,
    .places = 1,
    .atoms = {ATOMS},
    .withs = 1,
    .look = tz_look_at_word,
    .see = see,
};
