/* toy_model.h - a model of the toy language, made as a user makes one.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_TOY_MODEL_H
#define TZ_TESTS_SUPPORT_TOY_MODEL_H

/* After shell_setup: writes a toy treebank of 200 sentences, train.conllu, and learns from it
 * toy.model, which compresses raw text. Compressions lack the adjectives, which are leaves. The
 * tagger's table has 2^tagger_bits rows, the others' 2^bits. 0 if that worked. */
int toy_model(unsigned tagger_bits, unsigned bits);

#endif
