/* fuzz_state.c - states that training goes on from, whose checksum is right: read, and a step taken
 * from there. The first byte chooses the optimiser. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "fuzz.h"
#include "sentences/train/learner.h"

enum { BITS = 2 };

/* One more step, with one feature in every row. */
static void go_on(tz_learner *l) {
    static const uint64_t key[] = {0, 1, 2, 3};
    const double amount[] = {1, -1};
    FUZZ_CHECK(tz_gradient_begin(l->gradient, 1) == TZ_OK);
    FUZZ_CHECK(tz_gradient_terms_add(&l->gradient->terms[0], l->model, key, 4, amount) == TZ_OK);
    FUZZ_CHECK(tz_gradient_sum(l->gradient, 1) == TZ_OK);
    tz_optimiser_step(l->optimiser, l->gradient, 1);
    tz_optimiser_finish(l->optimiser, l->mean);
}

void fuzz_target(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    tz_optimiser_kind kind = (tz_optimiser_kind)(fuzz_byte(&input) % 4u);
    float mean[1 << BITS], best[1 << BITS];
    tz_error error;
    FREED(unsigned char, bytes) = fuzz_sealed(input.at, input.left, &size);
    const tz_training training = {.objective = TZ_LIKELIHOOD,
                                  .optimiser = kind,
                                  .rate = 0.1,
                                  .l2 = 0.5,
                                  .batch = 1,
                                  .threads = 1,
                                  .opt_state = fuzz_file(bytes, size),
                                  .resume = true};
    tz_learner l = {.training = &training, .mean = mean, .best = best, .opt_error = &error};
    tz_labels none = {0};
    FUZZ_CHECK(tz_model_new(&tz_parser, "eisner", BITS, &none, &l.model) == TZ_OK);
    FUZZ_CHECK(tz_gradient_new(l.model, 1, &l.gradient) == TZ_OK);
    FUZZ_CHECK(tz_optimiser_new(l.model, &training, &l.optimiser) == TZ_OK);
    tz_status status = tz_learner_load(&l);
    if (status == TZ_OK)
        go_on(&l);
    else
        fuzz_check_error(status, &error);
    tz_optimiser_free(l.optimiser);
    tz_gradient_free(l.gradient);
    tz_model_free(l.model);
}
