/* features_split.c - what the end of a sentence can be told by. SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_split.h"

enum {
    WORD, /* in lower case, and so are its neighbours */
    LEFT,
    LEFT2,
    RIGHT,
    RIGHT2,
    FORM,
    RIGHT_FORM,
    SHAPE,
    LEFT_SHAPE,
    LEFT2_SHAPE,
    RIGHT_SHAPE,
    RIGHT2_SHAPE,
    RIGHT3_SHAPE,
    SUFFIX,
    LEFT_SUFFIX,
    RIGHT_SUFFIX,
    RULE, /* what rules and white space say */
    LEFT_RULE,
    RIGHT_RULE,
    ATOMS
};

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

static bool look(const tz_sentence *sentence, const int32_t *index, tz_look *ret_look) {
    (void)sentence;
    *ret_look = (tz_look){.place = {index[0]}};
    return index[0] > 0;
}

static void see(const tz_sentence *sentence, unsigned place, int32_t position, uint64_t *atom) {
    (void)place;
    const tz_word *w = &sentence->word[position];
    atom[WORD] = w->lower;
    atom[LEFT] = w[-1].lower;
    atom[LEFT2] = w[-2].lower;
    atom[RIGHT] = w[1].lower;
    atom[RIGHT2] = w[2].lower;
    atom[FORM] = w->form;
    atom[RIGHT_FORM] = w[1].form;
    atom[SHAPE] = w->shape;
    atom[LEFT_SHAPE] = w[-1].shape;
    atom[LEFT2_SHAPE] = w[-2].shape;
    atom[RIGHT_SHAPE] = w[1].shape;
    atom[RIGHT2_SHAPE] = w[2].shape;
    atom[RIGHT3_SHAPE] = w[3].shape;
    atom[SUFFIX] = w->suffix[2];
    atom[LEFT_SUFFIX] = w[-1].suffix[2];
    atom[RIGHT_SUFFIX] = w[1].suffix[2];
    atom[RULE] = w->upos;
    atom[LEFT_RULE] = w[-1].upos;
    atom[RIGHT_RULE] = w[1].upos;
}

const tz_template_set tz_split_set = {
    .name = "split",
    .template = templates,
    .templates = sizeof templates / sizeof *templates,
    .places = 1,
    .atoms = {ATOMS},
    .withs = 1,
    .look = look,
    .see = see,
};
