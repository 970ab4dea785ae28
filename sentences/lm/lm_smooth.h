/* lm_smooth.h - finds probabilities and backoff weights from counts. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_SENTENCES_LM_LM_SMOOTH_H
#define TZ_SENTENCES_LM_LM_SMOOTH_H

#include "sentences/lm/lm_counts.h"
#include "sentences/lm/lm_train.h"

/* Fills all levels of a model that has its order and its words. text, counts: from lm_counts.h.
 * TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_lm_smooth(const uint32_t *text, const tz_lm_counts *counts,
                       const tz_lm_settings *settings, tz_lm *lm, tz_lm_report *report);

#endif
