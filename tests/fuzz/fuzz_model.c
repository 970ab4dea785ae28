/* fuzz_model.c - models whose checksum is right, and whose weights are packed as they should be:
 * head and names as in the file (model.h), the weights not packed yet. Of an odd first byte, the
 * weights are as packed as they are. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "fuzz.h"
#include "sentences/features/tables/little.h"
#include "sentences/learn/model.h"

enum { HEAD = 48, NAMES = 24, PACKED = 40 };

/* The file, to be freed. */
static unsigned char *make(fuzz_input input, bool packed, size_t *ret_size) {
    size_t names = tz_get32(input.at + NAMES);
    uLongf size = compressBound(input.left);
    if (packed || names > input.left - HEAD)
        return fuzz_sealed(input.at, input.left, ret_size);
    FREED(unsigned char, bytes) = malloc(input.left + size);
    FUZZ_CHECK(bytes != NULL);
    memcpy(bytes, input.at, HEAD + names);
    FUZZ_CHECK(compress2(bytes + HEAD + names, &size, input.at + HEAD + names,
                         input.left - HEAD - names, 1) == Z_OK);
    tz_put64(bytes + PACKED, size);
    unsigned char *sealed = fuzz_sealed(bytes, HEAD + names + size, ret_size);
    return sealed;
}

void fuzz_target(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    bool packed = fuzz_byte(&input) & 1;
    tz_error error;
    char task[24];
    if (input.left < HEAD)
        return;
    FREED(unsigned char, bytes) = make(input, packed, &size);
    OWN(tz_model, model) = NULL;
    bool known = tz_model_task(bytes, size, task, sizeof task);
    tz_status status = tz_model_read("input", bytes, size, NULL, &model, &error);
    if (status == TZ_OK) {
        FUZZ_CHECK(known && strcmp(task, model->task->name) == 0);
        FUZZ_CHECK(tz_model_weights(bytes, size) == tz_model_size(model));
        FUZZ_CHECK(isfinite(tz_model_greatest(model)));
    } else {
        fuzz_check_error(status, &error);
    }
}
