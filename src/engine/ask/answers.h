/* answers.h - fills arrays with answers. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_ANSWERS_H
#define TZ_ENGINE_ASK_ANSWERS_H

#include "trapeze/trapeze.h"

/* tz_answer for lanes 0..count-1; later lanes repeat the last one. problem: [count], the problem of
 * each lane. */
tz_status tz_answer_all(const tz_answers *answers, const size_t *problem, size_t count,
                        tz_chart *chart);

#endif
