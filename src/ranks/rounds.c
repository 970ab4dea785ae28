/* rounds.c - see rounds.h. SPDX-License-Identifier: MIT */
#include "ranks/rounds.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

tz_status tz_rounds_begin(tz_rounds *rounds, tz_lines *const *lines, size_t block, bool paragraphs,
                          bool whole) {
    *rounds = (tz_rounds){.out = stdout, .alone = tz_ranks() == 1};
    if (rounds->alone)
        return TZ_OK;
    tz_lines_cut cut = {.share = tz_rank(),
                        .shares = tz_ranks(),
                        .block = whole ? SIZE_MAX : block,
                        .paragraphs = paragraphs,
                        .pauses = true};
    for (; *lines; lines++)
        tz_lines_share(*lines, &cut);
    rounds->out = open_memstream(&rounds->data, &rounds->size);
    return rounds->out ? TZ_OK : TZ_NO_MEMORY;
}

void tz_rounds_free(tz_rounds *rounds) {
    if (rounds->out && !rounds->alone)
        fclose(rounds->out);
    free(rounds->data);
    tz_gathered_free(&rounds->all);
    *rounds = (tz_rounds){0};
}

/* How a rank's block went; what it wrote follows. */
typedef struct outcome {
    int32_t status, more; /* more: lines of its */
    tz_error error;
} outcome;

/* Prints what ranks wrote, up to the first error; all learn how it went. */
static tz_status print(tz_rounds *rounds, outcome *mine, tz_error *error) {
    size_t size = sizeof *mine + rounds->size;
    unsigned char *bytes = malloc(size);
    if (!bytes)
        return TZ_NO_MEMORY;
    memcpy(bytes, mine, sizeof *mine);
    if (rounds->size > 0) /* else there may be nothing to copy from */
        memcpy(bytes + sizeof *mine, rounds->data, rounds->size);
    tz_status status = tz_ranks_gather_first(bytes, size, &rounds->all, error);
    free(bytes);
    *mine = (outcome){.status = TZ_OK};
    for (size_t r = 0; status == TZ_OK && tz_rank() == 0 && r < tz_ranks(); r++) {
        const unsigned char *at = rounds->all.data + rounds->all.at[r];
        outcome told;
        memcpy(&told, at, sizeof told);
        if (mine->status != TZ_OK)
            break;
        fwrite(at + sizeof told, 1, rounds->all.at[r + 1] - rounds->all.at[r] - sizeof told,
               stdout); /* what fails shows at the end */
        mine->more |= told.more;
        if (told.status != TZ_OK && told.status != TZ_NONE) {
            mine->status = told.status;
            mine->error = told.error;
        }
    }
    return status;
}

tz_status tz_rounds_end(tz_rounds *rounds, tz_lines *const *lines, tz_status status,
                        tz_error *error) {
    if (rounds->alone)
        return status;
    outcome mine = {.status = (int32_t)status, .more = status == TZ_OK || status == TZ_NONE};
    if (status != TZ_OK && status != TZ_NONE)
        mine.error = *error;
    bool more = false;
    for (; *lines; lines++)
        more |= tz_lines_go_on(*lines);
    mine.more = mine.more && more;
    status = fflush(rounds->out) == 0 ? print(rounds, &mine, error) : TZ_NO_MEMORY;
    rewind(rounds->out);
    rounds->size = 0;
    if (tz_rank() == 0)
        fflush(stdout);
    if (status == TZ_OK)
        status = tz_ranks_gather(&mine, tz_rank() == 0 ? sizeof mine : 0, &rounds->all, error);
    if (status != TZ_OK)
        return status;
    memcpy(&mine, rounds->all.data, sizeof mine);
    if (mine.status == TZ_OK)
        return mine.more ? TZ_OK : TZ_NONE;
    *error = mine.error;
    return (tz_status)mine.status;
}
