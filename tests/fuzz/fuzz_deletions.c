/* fuzz_deletions.c - grammars of deletions whose checksum is right: read, and asked which words of
 * a tree are kept. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "fuzz.h"
#include "sentences/deletions/decode.h"
#include "tree.h"

static void ask(const tz_deletions *model, const tz_outward *tree) {
    double share[2], marginal[8];
    uint8_t keep[8];
    for (uint32_t x = 1; x < tree->nodes; x++) {
        const tz_decision decision = {.node = x, .head_kept = x & 1, .flags = x};
        tz_deletions_probability(model, tree, &decision, share);
        FUZZ_CHECK(share[0] > 0 && share[1] > 0 && fabs(share[0] + share[1] - 1) < 1e-9);
    }
    OWN(tz_deletion_decoder, decoder) = NULL;
    tz_error error;
    FUZZ_CHECK(tz_deletion_decoder_new(model, 1, &decoder, &error) == TZ_OK);
    for (tz_delete_by by = TZ_DELETE_BY_MARGINALS; by <= TZ_DELETE_BY_BEST; by++) {
        const tz_deletion_how how = {.by = by, .threshold = model->threshold};
        tz_deletion_item item = {.tree = tree, .keep = keep, .opt_marginal = marginal};
        FUZZ_CHECK(tz_deletion_decode(decoder, &how, &item, 1, &error) == TZ_OK);
        int kept = 0;
        for (uint32_t w = 0; w < tree->words; w++)
            kept += keep[w];
        FUZZ_CHECK(kept > 0);
    }
}

void fuzz_target(const uint8_t *data, size_t size) {
    static tz_arena *arena; /* of the tree, for all inputs */
    static tz_outward outward;
    tz_error error;
    if (outward.nodes == 0) {
        arena = tz_arena_new();
        tz_tree tree = fuzz_tree(arena);
        FUZZ_CHECK(tz_outward_new(arena, &tree, &outward) == TZ_OK);
    }
    FREED(unsigned char, bytes) = fuzz_sealed(data, size, &size);
    OWN(tz_deletions, model) = NULL;
    tz_status status = tz_deletions_read("input", bytes, size, &model, &error);
    if (status == TZ_OK) {
        FUZZ_CHECK(tz_deletions_bytes(bytes, size));
        ask(model, &outward);
    } else {
        fuzz_check_error(status, &error);
    }
}
