/* features_tag.c - what a tag can be told by. A new feature is a line of `templates`; what it needs
 * to see that is not there yet is an atom.
 *
 * After Ratnaparkhi 1996 (A maximum entropy model for part-of-speech tagging, EMNLP).
 * SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_tag.h"

enum {
    FORM,
    WORD, /* in lower case, and so are its neighbours */
    LEFT,
    LEFT2,
    RIGHT,
    RIGHT2,
    SHAPE,
    LEFT_SHAPE,
    RIGHT_SHAPE,
    PREFIX1,
    PREFIX2,
    PREFIX3,
    PREFIX4,
    SUFFIX1,
    SUFFIX2,
    SUFFIX3,
    SUFFIX4,
    LEFT_SUFFIX2,
    LEFT_SUFFIX3,
    RIGHT_SUFFIX2,
    RIGHT_SUFFIX3,
    FIRST, /* is it the sentence's first? */
    KIND,  /* in the tag dictionary */
    LEFT_KIND,
    RIGHT_KIND,
    ATOMS
};

static const tz_template templates[] = {
    TZ_TEMPLATE(FORM),
    TZ_TEMPLATE(WORD),
    TZ_TEMPLATE(SHAPE, FIRST),
    TZ_TEMPLATE(PREFIX1),
    TZ_TEMPLATE(PREFIX2),
    TZ_TEMPLATE(PREFIX3),
    TZ_TEMPLATE(PREFIX4),
    TZ_TEMPLATE(SUFFIX1),
    TZ_TEMPLATE(SUFFIX2),
    TZ_TEMPLATE(SUFFIX3),
    TZ_TEMPLATE(SUFFIX4),
    TZ_TEMPLATE(SHAPE, SUFFIX2),
    TZ_TEMPLATE(SHAPE, SUFFIX3),
    TZ_TEMPLATE(LEFT),
    TZ_TEMPLATE(LEFT2),
    TZ_TEMPLATE(RIGHT),
    TZ_TEMPLATE(RIGHT2),
    TZ_TEMPLATE(LEFT, WORD),
    TZ_TEMPLATE(WORD, RIGHT),
    TZ_TEMPLATE(LEFT, RIGHT),
    TZ_TEMPLATE(LEFT2, LEFT),
    TZ_TEMPLATE(RIGHT, RIGHT2),
    TZ_TEMPLATE(LEFT, SUFFIX3),
    TZ_TEMPLATE(SUFFIX3, RIGHT),
    TZ_TEMPLATE(LEFT_SUFFIX3),
    TZ_TEMPLATE(RIGHT_SUFFIX3),
    TZ_TEMPLATE(LEFT_SUFFIX2, SUFFIX2),
    TZ_TEMPLATE(SUFFIX2, RIGHT_SUFFIX2),
    TZ_TEMPLATE(LEFT_SHAPE, SHAPE, RIGHT_SHAPE),
    /* Of the joint tagger alone: */
    TZ_TEMPLATE(KIND),
    TZ_TEMPLATE(KIND, SHAPE),
    TZ_TEMPLATE(LEFT_KIND),
    TZ_TEMPLATE(RIGHT_KIND),
    TZ_TEMPLATE(LEFT_KIND, KIND),
    TZ_TEMPLATE(KIND, RIGHT_KIND),
    TZ_TEMPLATE(LEFT_KIND, RIGHT_KIND),
    TZ_TEMPLATE(LEFT_KIND, KIND, RIGHT_KIND),
};
enum { TEMPLATES = sizeof templates / sizeof *templates, OF_JOINT = 8 };

static void see(const tz_sentence *sentence, unsigned place, int32_t position, uint64_t *atom) {
    (void)place;
    const tz_word *w = &sentence->word[position];
    atom[FORM] = w->form;
    atom[WORD] = w->lower;
    atom[LEFT] = w[-1].lower;
    atom[LEFT2] = w[-2].lower;
    atom[RIGHT] = w[1].lower;
    atom[RIGHT2] = w[2].lower;
    atom[SHAPE] = w->shape;
    atom[LEFT_SHAPE] = w[-1].shape;
    atom[RIGHT_SHAPE] = w[1].shape;
    atom[PREFIX1] = w->prefix[0];
    atom[PREFIX2] = w->prefix[1];
    atom[PREFIX3] = w->prefix[2];
    atom[PREFIX4] = w->prefix[3];
    atom[SUFFIX1] = w->suffix[0];
    atom[SUFFIX2] = w->suffix[1];
    atom[SUFFIX3] = w->suffix[2];
    atom[SUFFIX4] = w->suffix[3];
    atom[LEFT_SUFFIX2] = w[-1].suffix[1];
    atom[LEFT_SUFFIX3] = w[-1].suffix[2];
    atom[RIGHT_SUFFIX2] = w[1].suffix[1];
    atom[RIGHT_SUFFIX3] = w[1].suffix[2];
    atom[FIRST] = position == 1;
    atom[KIND] = w->kind;
    atom[LEFT_KIND] = w[-1].kind;
    atom[RIGHT_KIND] = w[1].kind;
}

const tz_template_set tz_tag_set = {
    .name = "tag",
    .template = templates,
    .templates = TEMPLATES - OF_JOINT,
    .places = 1,
    .atoms = {ATOMS},
    .withs = 1,
    .look = tz_look_at_word,
    .see = see,
};

const tz_template_set tz_joint_tag_set = {
    .name = "joint tag",
    .template = templates,
    .templates = TEMPLATES,
    .places = 1,
    .atoms = {ATOMS},
    .withs = 1,
    .look = tz_look_at_word,
    .see = see,
};

enum { AFTER = 1 };

static void after(int32_t tag, tz_features *features) {
    tz_feature(features, tz_hash(tz_hash(AFTER, (uint64_t)(int64_t)tag), AFTER));
}

void tz_features_first(const tz_sentence *sentence, const int32_t *index, tz_features *features) {
    (void)sentence, (void)index;
    after(-1, features);
}

void tz_features_after(const tz_sentence *sentence, const int32_t *index, tz_features *features) {
    (void)sentence;
    after(index[0], features);
}

uint64_t tz_templates_after(void) {
    return AFTER;
}
