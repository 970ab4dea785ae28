/* answers.h - arrays filled with answers. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_ANSWERS_H
#define TZ_ENGINE_ASK_ANSWERS_H

#include "trapeze/trapeze.h"

/* tz_answer of lanes 0..count-1, the last of which the others repeat; problem: [count], which they
 * are. */
tz_status tz_answer_all(const tz_answers *answers, const size_t *problem, size_t count,
                        tz_chart *chart);

#endif
