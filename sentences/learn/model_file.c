/* model_file.c - models to and from files; model.h has the format. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/lines.h"
#include "base/replace.h"
#include "base/text.h"
#include "base/whole.h"
#include "sentences/features/tables/little.h"
#include "sentences/learn/model.h"

enum { HEAD = 48, NAMES = 1 << 20, RATIO = 1100 /* deflate packs at most 1032 to 1 */ };

static const char magic[8] = {'T', 'Z', 'M', 'O', 'D', 'E', 'L', '\n'};

static size_t bytes_each(uint32_t encoding) {
    return encoding == TZ_WEIGHTS_BYTES ? 1 : 4;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void encode(const tz_model *model, tz_encoding encoding, float most, unsigned char *to) {
    for (size_t w = 0; w < tz_model_size(model); w++) {
        float weight = tz_model_weight(model, w);
        if (encoding == TZ_WEIGHTS_FLOAT) {
            tz_put_float(to + 4 * w, weight);
        } else {
            int step = most > 0 ? (int)(127 * sqrtf(fabsf(weight) / most) + 0.5f) : 0;
            to[w] = (unsigned char)(weight < 0 ? -step : step);
        }
    }
}

/* The whole file, as text. */
static void pack(const tz_model *model, tz_encoding encoding, tz_text *ret_text) {
    size_t size = tz_model_size(model) * bytes_each(encoding);
    unsigned char *plain = malloc(size);
    uLongf packed_size = compressBound(size);
    unsigned char *packed = malloc(packed_size);
    float most = tz_model_greatest(model);
    unsigned char bits[4];
    tz_text names = {0};
    tz_text_add(&names, model->task->name, strlen(model->task->name) + 1);
    const char *rules = tz_rules_name(model->rules);
    tz_text_add(&names, rules, strlen(rules) + 1);
    for (size_t l = 0; l < model->labels.count; l++)
        tz_text_add(&names, model->labels.name[l], strlen(model->labels.name[l]) + 1);
    if (plain && packed)
        encode(model, encoding, most, plain);
    if (!plain || !packed || names.failed ||
        compress2(packed, &packed_size, plain, size, 9) != Z_OK) {
        ret_text->failed = true;
    } else {
        tz_text_add(ret_text, magic, sizeof magic);
        tz_text_add32(ret_text, TZ_MODEL_VERSION);
        tz_text_add32(ret_text, encoding);
        tz_text_add32(ret_text, model->bits);
        tz_text_add32(ret_text, (uint32_t)model->labels.count);
        tz_text_add32(ret_text, (uint32_t)names.size);
        tz_put_float(bits, most);
        tz_text_add(ret_text, (const char *)bits, sizeof bits);
        tz_text_add64(ret_text, tz_variant_templates(model->variant));
        tz_text_add64(ret_text, packed_size);
        tz_text_add(ret_text, names.data, names.size);
        tz_text_add(ret_text, (const char *)packed, packed_size);
        tz_seal(ret_text, 0);
    }
    tz_text_free(&names);
    free(plain);
    free(packed);
}

tz_status tz_model_save(const tz_model *model, tz_encoding encoding, const char *path,
                        tz_error *opt_error) {
    tz_text text = {0};
    pack(model, encoding, &text);
    tz_status status = tz_replace_text(path, &text, opt_error);
    tz_text_free(&text);
    return status;
}

/* ---- Reading --------------------------------------------------------------------------------- */

typedef struct head {
    uint32_t encoding, bits, labels, names;
    float most;
    uint64_t templates, packed;
} head;

static tz_status broken(const char *path, tz_error *opt_error, const char *what) {
    return tz_bad_input(opt_error, path, 0, "%s; train the model anew or get another copy", what);
}

bool tz_model_task(const void *bytes, size_t size, char *ret_task, size_t room) {
    const char *name = (const char *)bytes + HEAD;
    size_t shown = size > HEAD ? size - HEAD : 0;
    if (shown == 0 || memcmp(bytes, magic, sizeof magic) != 0 ||
        !memchr(name, '\0', shown < room ? shown : room))
        return false;
    memset(ret_task, 0, room);
    memcpy(ret_task, name, strlen(name));
    return true;
}

uint64_t tz_model_weights(const void *bytes, size_t size) {
    const unsigned char *from = bytes;
    if (size < HEAD || memcmp(bytes, magic, sizeof magic) != 0)
        return 0;
    const uint32_t bits = tz_get32(from + 16), labels = tz_get32(from + 20);
    return bits > TZ_MODEL_BITS ? UINT64_MAX >> 8 : (uint64_t)(labels > 0 ? labels : 1) << bits;
}

/* Everything that can be known from the first bytes and the file's size. */
static tz_status read_head(const char *path, const unsigned char *from, uint64_t size, head *ret,
                           tz_error *opt_error) {
    if (size < HEAD + 4 || memcmp(from, magic, sizeof magic) != 0)
        return tz_bad_input(opt_error, path, 0, "not a model of trapeze");
    if (tz_get32(from + 8) != TZ_MODEL_VERSION) {
        return tz_bad_input(opt_error, path, 0,
                            "the model has format %u, this program reads format %d; train it anew",
                            (unsigned)tz_get32(from + 8), TZ_MODEL_VERSION);
    }
    *ret = (head){.encoding = tz_get32(from + 12),
                  .bits = tz_get32(from + 16),
                  .labels = tz_get32(from + 20),
                  .names = tz_get32(from + 24),
                  .most = tz_get_float(from + 28),
                  .templates = tz_get64(from + 32),
                  .packed = tz_get64(from + 40)};
    if (ret->encoding > TZ_WEIGHTS_BYTES || ret->bits < 1 || ret->bits > TZ_MODEL_BITS ||
        ret->labels > TZ_MODEL_LABELS || ret->names > NAMES || !isfinite(ret->most) ||
        ret->most < 0 || ret->most > 1e30f || ret->packed > size ||
        ret->packed + ret->names + HEAD + 4 != size)
        return broken(path, opt_error, "the model is damaged or cut off");
    uint64_t width = ret->labels > 0 ? ret->labels : 1;
    if (width << ret->bits > TZ_MODEL_WEIGHTS)
        return tz_bad_input(opt_error, path, 0,
                            "the model has %llu weights; models up to %d are read",
                            (unsigned long long)(width << ret->bits), TZ_MODEL_WEIGHTS);
    if ((width << ret->bits) * bytes_each(ret->encoding) > (ret->packed + 1) * RATIO)
        return broken(path, opt_error, "the model is damaged: too short for its table");
    return TZ_OK;
}

/* The next of the names that begin at *at, or NULL. */
static const char *next_name(const char **at, const char *end) {
    const char *name = *at, *stop = name < end ? memchr(name, '\0', (size_t)(end - name)) : NULL;
    *at = stop ? stop + 1 : end;
    return stop;
}

/* Unpacks the weights into the model's own array. */
static tz_status unpack_weights(tz_model *model, const head *head, const unsigned char *from) {
    size_t count = tz_model_size(model), size = count * bytes_each(head->encoding);
    uLongf unpacked = size;
    int result = uncompress(model->step ? (Bytef *)model->step : (Bytef *)model->weight, &unpacked,
                            from, head->packed);
    if (result != Z_OK || unpacked != size)
        return result == Z_MEM_ERROR ? TZ_NO_MEMORY : TZ_IO;
    if (model->step) { /* -128 is no weight */
        model->most = head->most;
        return memchr(model->step, -128, size) ? TZ_IO : TZ_OK;
    }
    for (size_t w = 0; w < count; w++) {
        unsigned char bytes[4];
        memcpy(bytes, &model->weight[w], sizeof bytes);
        model->weight[w] = tz_get_float(bytes);
        if (!(fabsf(model->weight[w]) <= head->most * 1.02f)) /* nor is NaN */
            return TZ_IO;
    }
    return TZ_OK;
}

static tz_status unpack(const char *path, const unsigned char *from, size_t size,
                        const tz_task *opt_task, tz_model **ret_model, tz_error *opt_error) {
    head head = {0};
    tz_status status = read_head(path, from, size, &head, opt_error);
    if (status != TZ_OK)
        return status;
    if (!tz_is_sealed(from, size))
        return broken(path, opt_error, "the model is damaged: its checksum is wrong");
    const char *at = (const char *)from + HEAD, *end = at + head.names;
    const char *task_name = at;
    const tz_task *task = next_name(&at, end) ? tz_task_find(task_name) : NULL;
    const char *rules = at;
    const tz_variant *variant = NULL;
    if (task && next_name(&at, end))
        variant = tz_task_variant(task, rules);
    if (!variant) {
        return broken(path, opt_error,
                      "the model is for a task or a rule set that this program does not know");
    }
    if (opt_task && task != opt_task) {
        return tz_bad_input(opt_error, path, 0, "the model is a %s, not a %s", task->name,
                            opt_task->name);
    }
    if (head.templates != tz_variant_templates(variant))
        return broken(path, opt_error, "the model was made with other feature templates");
    tz_labels labels = {0};
    for (uint32_t l = 0; l < head.labels && status == TZ_OK; l++) {
        const char *label = at;
        int32_t number = 0;
        status = next_name(&at, end) ? tz_labels_add(&labels, label, &number) : TZ_IO;
        if (status == TZ_OK && number != (int32_t)l)
            status = TZ_IO;
    }
    if (status == TZ_OK && at == end && task->labelled == (head.labels > 0)) {
        status = head.encoding == TZ_WEIGHTS_BYTES
                     ? tz_model_new_bytes(task, rules, head.bits, &labels, ret_model)
                     : tz_model_new(task, rules, head.bits, &labels, ret_model);
    } else {
        status = status == TZ_OK ? TZ_IO : status;
        tz_labels_free(&labels);
    }
    if (status == TZ_OK)
        status = unpack_weights(*ret_model, &head, from + HEAD + head.names);
    if (status == TZ_NO_MEMORY)
        return tz_out_of_memory(opt_error, path, 0);
    return status == TZ_OK ? TZ_OK : broken(path, opt_error, "the model is damaged");
}

tz_status tz_model_read(const char *name, const void *bytes, size_t size, const tz_task *opt_task,
                        tz_model **ret_model, tz_error *opt_error) {
    *ret_model = NULL;
    tz_status status = unpack(name, bytes, size, opt_task, ret_model, opt_error);
    if (status != TZ_OK) {
        tz_model_free(*ret_model);
        *ret_model = NULL;
    }
    return status;
}

tz_status tz_model_load(const char *path, const tz_task *opt_task, tz_model **ret_model,
                        tz_error *opt_error) {
    *ret_model = NULL;
    void *bytes;
    size_t size;
    tz_status status = tz_whole_read(path, &bytes, &size, opt_error);
    if (status == TZ_OK)
        status = tz_model_read(path, bytes, size, opt_task, ret_model, opt_error);
    free(bytes);
    return status;
}
