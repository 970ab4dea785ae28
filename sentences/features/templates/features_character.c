/* features_character.c - what the end of a word can be told by. SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_character.h"

/* A run is of letters and digits, or of other signs; a piece stands between white space. */
#define SEEN(OF)                                                                                   \
    OF(RULE, w->upos) /* does a word end here by rules? */                                         \
    OF(LEFT_RULE, w[-1].upos)                                                                      \
    OF(RIGHT_RULE, w[1].upos)                                                                      \
    OF(CHAR, w->form)                                                                              \
    OF(LEFT, w[-1].lower)                                                                          \
    OF(LEFT2, w[-2].lower)                                                                         \
    OF(RIGHT, w[1].form)                                                                           \
    OF(RIGHT2, w[2].lower)                                                                         \
    OF(SHAPE, w->shape)                                                                            \
    OF(LEFT_SHAPE, w[-1].shape)                                                                    \
    OF(LEFT2_SHAPE, w[-2].shape)                                                                   \
    OF(RIGHT_SHAPE, w[1].shape)                                                                    \
    OF(RIGHT2_SHAPE, w[2].shape)                                                                   \
    OF(RIGHT3_SHAPE, w[3].shape)                                                                   \
    OF(RUN, w->suffix[0])                                                                          \
    OF(LEFT_RUN, w[-1].suffix[0])                                                                  \
    OF(RIGHT_RUN, w[1].prefix[0])                                                                  \
    OF(RIGHT2_RUN, w[2].prefix[0])                                                                 \
    OF(RIGHT3_RUN, w[3].prefix[0])                                                                 \
    OF(BEFORE2, w->suffix[1]) /* characters up to here, and behind */                              \
    OF(BEFORE3, w->suffix[2])                                                                      \
    OF(BEFORE4, w->suffix[3])                                                                      \
    OF(BEHIND2, w[1].prefix[1])                                                                    \
    OF(BEHIND3, w[1].prefix[2])                                                                    \
    OF(BEHIND4, w[1].prefix[3])                                                                    \
    OF(PIECE, w->xpos)                                                                             \
    OF(REST, w[1].deprel)
enum { SEEN(TZ_ATOM_NAME) ATOMS };

static const tz_template templates[] = {
    TZ_TEMPLATE(RULE),
    TZ_TEMPLATE(RULE, CHAR),
    TZ_TEMPLATE(RULE, RIGHT),
    TZ_TEMPLATE(RULE, CHAR, RIGHT),
    TZ_TEMPLATE(RULE, PIECE),
    TZ_TEMPLATE(RULE, REST),
    TZ_TEMPLATE(LEFT_RULE, RULE, RIGHT_RULE),
    TZ_TEMPLATE(RULE, SHAPE, RIGHT_SHAPE),
    TZ_TEMPLATE(CHAR, RIGHT),
    TZ_TEMPLATE(LEFT, CHAR, RIGHT),
    TZ_TEMPLATE(CHAR, RIGHT, RIGHT2),
    TZ_TEMPLATE(LEFT2, LEFT, CHAR, RIGHT),
    TZ_TEMPLATE(LEFT, CHAR, RIGHT, RIGHT2),
    TZ_TEMPLATE(SHAPE, RIGHT_SHAPE),
    TZ_TEMPLATE(LEFT_SHAPE, SHAPE, RIGHT_SHAPE, RIGHT2_SHAPE),
    TZ_TEMPLATE(LEFT2_SHAPE, LEFT_SHAPE, SHAPE, RIGHT_SHAPE),
    TZ_TEMPLATE(SHAPE, RIGHT_SHAPE, RIGHT2_SHAPE, RIGHT3_SHAPE),
    TZ_TEMPLATE(LEFT2_SHAPE, LEFT_SHAPE, SHAPE, RIGHT_SHAPE, RIGHT2_SHAPE, RIGHT3_SHAPE),
    TZ_TEMPLATE(LEFT_SHAPE, CHAR, RIGHT_SHAPE, RIGHT2_SHAPE, RIGHT3_SHAPE),
    TZ_TEMPLATE(LEFT_SHAPE, SHAPE, RIGHT, RIGHT2_SHAPE, RIGHT3_SHAPE),
    TZ_TEMPLATE(BEFORE2),
    TZ_TEMPLATE(BEFORE3),
    TZ_TEMPLATE(BEFORE4),
    TZ_TEMPLATE(BEHIND2),
    TZ_TEMPLATE(BEHIND3),
    TZ_TEMPLATE(BEHIND4),
    TZ_TEMPLATE(BEFORE2, BEHIND2),
    TZ_TEMPLATE(BEFORE3, BEHIND2),
    TZ_TEMPLATE(BEFORE2, BEHIND3),
    TZ_TEMPLATE(RUN, RIGHT_SHAPE),
    TZ_TEMPLATE(RUN, RIGHT),
    TZ_TEMPLATE(RUN, RIGHT_RUN),
    TZ_TEMPLATE(LEFT_RUN, CHAR, RIGHT),
    TZ_TEMPLATE(LEFT_RUN, CHAR, RIGHT_RUN),
    TZ_TEMPLATE(CHAR, RIGHT_RUN),
    TZ_TEMPLATE(RUN, RIGHT, RIGHT2_RUN),
    TZ_TEMPLATE(SHAPE, RIGHT, RIGHT3_RUN),
    TZ_TEMPLATE(RUN, RIGHT, RIGHT3_RUN),
    TZ_TEMPLATE(PIECE),
    TZ_TEMPLATE(PIECE, RIGHT),
    TZ_TEMPLATE(PIECE, REST),
    TZ_TEMPLATE(PIECE, RIGHT_SHAPE, RIGHT2_SHAPE, RIGHT3_SHAPE),
};

static void see(const tz_sentence *sentence, unsigned place, int32_t position, uint64_t *atom) {
    (void)place;
    const tz_word *w = &sentence->word[position];
    SEEN(TZ_ATOM_IS)
}

const tz_template_set tz_character_set = {
    .name = "character",
    .template = templates,
    .templates = sizeof templates / sizeof *templates,
    .places = 1,
    .atoms = {ATOMS},
    .withs = 1,
    .look = tz_look_at_word,
    .see = see,
};
