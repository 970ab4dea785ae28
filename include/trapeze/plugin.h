/* plugin.h - a semiring as a shared object for tz_semiring_load. The object tells its version and
 * instruction set, so that one for another version of Trapeze, or for another machine, is refused.
 *
 *   #include <trapeze/plugin.h>
 *   TZ_PLUGIN(ways)            once, after vectors.h, blocks.h and the tz_semiring
 *
 * `trapeze semirings compile` makes such an object from a text. Loading one runs its code.
 * SPDX-License-Identifier: MIT */
#ifndef TRAPEZE_PLUGIN_H
#define TRAPEZE_PLUGIN_H

#include <stdint.h>

#include <trapeze/kernel.h>

/* The version of semiring.h and kernel.h: 1 more whenever a change would make old objects wrong. */
#define TZ_PLUGIN_VERSION 1

/* The first members never change; the others are read only if `version` and `sizes` are the
 * library's. */
typedef struct tz_plugin {
    uint32_t version, isa; /* isa: the tz_isa that the machine must run */
    uint32_t sizes[4];     /* of the structs below */
    const tz_semiring *semiring;
} tz_plugin;

#define TZ_PLUGIN_SIZES                                                                            \
    { sizeof(tz_semiring), sizeof(tz_kernels), sizeof(tz_block), sizeof(tz_ready) }

#define TZ_PLUGIN_SYMBOL "tz_plugin_of_semiring"
#define TZ_PLUGIN(of)                                                                              \
    extern const tz_plugin tz_plugin_of_semiring;                                                  \
    __attribute__((visibility("default"))) const tz_plugin tz_plugin_of_semiring = {               \
        TZ_PLUGIN_VERSION, TZ_UNIT_ISA, TZ_PLUGIN_SIZES, &(of)};

#endif
