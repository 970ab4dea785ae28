/* model.h - a linear model over hashed features: for a task, a rule set, and labels by name.
 *
 * The feature with hash k has the weights weight[(k mod 2^bits) * width ..][0..width-1], one for
 * each label or only one (tz_task.labelled). The model keeps nothing else of the data.
 *
 * A model file is made of (all numbers little-endian):
 *   8 bytes   "TZMODEL\n"
 *   u32       version, TZ_MODEL_VERSION
 *   u32       encoding of weights: 0 float, 1 bytes (below)
 *   u32       bits
 *   u32       labels
 *   u32       size of the names
 *   f32       the greatest |weight|, g
 *   u64       hash of the templates of its parts
 *   u64       size of the packed weights
 *   names     task, rule set and labels, each with a zero byte
 *   weights   deflated (RFC 1950)
 *   u32       CRC-32 of all before
 * As bytes, a weight w becomes round(127 sqrt(|w| / g)) with its sign: fine near 0, where most are.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_MODEL_H
#define TZ_SENTENCES_LEARN_MODEL_H

#include <stdio.h>

#include "sentences/learn/task.h"

enum { TZ_MODEL_VERSION = 1, TZ_MODEL_BITS = 26, TZ_MODEL_LABELS = 4096 };
/* Most weights of a model, and of all models of a pack; each takes at most 4 bytes in memory. */
enum { TZ_MODEL_WEIGHTS = 1 << 26, TZ_PACK_WEIGHTS = 1 << 27 };

typedef enum tz_encoding { TZ_WEIGHTS_FLOAT, TZ_WEIGHTS_BYTES } tz_encoding;

typedef struct tz_model {
    const tz_task *task;
    const tz_variant *variant; /* of the task, for */
    const tz_rules *rules;     /* built in */
    unsigned bits;
    size_t width;
    tz_labels labels; /* empty unless the task is labelled */
    /* The weights as numbers; or, for a model read from a file of bytes, as these bytes, where a
     * weight is (step / 127) * |step / 127| * most. Bytes take a fourth of the memory and give
     * exact sums. The other one is NULL. */
    float *weight;
    signed char *step;
    float most; /* with `step`: the greatest |weight| */
} tz_model;

static inline size_t tz_model_row(const tz_model *model, uint64_t key) {
    return (size_t)(key & (((uint64_t)1 << model->bits) - 1)) * model->width;
}

static inline float tz_model_weight(const tz_model *model, size_t w) {
    if (model->weight)
        return model->weight[w];
    float step = (float)model->step[w] / 127;
    return (step < 0 ? -1 : 1) * step * step * model->most;
}

/* Make a model with all weights 0, as numbers or bytes (most is 0). rules: one of the task's. The
 * labels become the model's, even on failure. bits: 1..TZ_MODEL_BITS. TZ_BAD_ARGUMENT,
 * TZ_TOO_LARGE, TZ_NO_MEMORY. */
tz_status tz_model_new(const tz_task *task, const char *rules, unsigned bits, tz_labels *labels,
                       tz_model **ret_model);
tz_status tz_model_new_bytes(const tz_task *task, const char *rules, unsigned bits,
                             tz_labels *labels, tz_model **ret_model);
void tz_model_free(tz_model *model);
/* The number of weights. */
size_t tz_model_size(const tz_model *model);

/* The greatest |weight|. */
float tz_model_greatest(const tz_model *model);
/* Sets weights with |weight| < share * the greatest to 0, which makes files smaller. For a model of
 * numbers. */
void tz_model_prune(tz_model *model, double share);

/* Writes to a file beside it, then renames, so that `path` never holds half a model. TZ_IO,
 * TZ_NO_MEMORY. */
tz_status tz_model_save(const tz_model *model, tz_encoding encoding, const char *path,
                        tz_error *opt_error);
/* Loads a model; with opt_task it must be for this task. Everything is checked before memory is
 * taken for it. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_model_load(const char *path, const tz_task *opt_task, tz_model **ret_model,
                        tz_error *opt_error);

/* The same from the bytes of a file, called `name` in messages. */
tz_status tz_model_read(const char *name, const void *bytes, size_t size, const tz_task *opt_task,
                        tz_model **ret_model, tz_error *opt_error);
/* The number of weights in the header of a model with these bytes; 0: they are not a model. */
uint64_t tz_model_weights(const void *bytes, size_t size);
/* Do the bytes begin like a model file? If so, the name of its task, which this program may not
 * know, is written to ret_task[0..room-1], padded with zeros. */
bool tz_model_task(const void *bytes, size_t size, char *ret_task, size_t room);

#endif
