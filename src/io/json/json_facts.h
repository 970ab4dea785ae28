/* json_facts.h - facts about derivations, and a structure, in a line of JSON.
 *
 * {"forbid": [["arc",0,2], ["arc",null,3]], "require": [["arc",null,1], [["arc",1,3],["arc",4,3]]],
 *  "structure": [["arc",0,2], ["arc",2,1]]}
 *
 * A cell is a weight's name and its index values; null stands for every value. Facts may name items
 * in the same way. No derivation may use a forbidden cell; each must use every required cell, or
 * one of each list of cells. A structure is the list of all cells that a derivation uses, one used
 * twice listed twice.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_JSON_JSON_FACTS_H
#define TZ_IO_JSON_JSON_FACTS_H

#include <trapeze/trapeze.h>

#include "io/json/json.h"

typedef struct tz_json_facts {
    tz_fact *fact;
    size_t facts, fact_capacity;
    tz_cells *cell; /* of all facts */
    size_t cells, cell_capacity;
    tz_use *use; /* of the structure, without scores */
    size_t uses, use_capacity;
    bool structure; /* there is one */
    bool required;  /* some fact is */
} tz_json_facts;

/* Reads the facts of an object, for a problem of these lengths, in the place of earlier ones.
 * TZ_BAD_ARGUMENT, with a message that says where; TZ_NO_MEMORY. */
tz_status tz_json_facts_read(tz_json_facts *facts, const tz_rules *rules, const int32_t *lengths,
                             const json_t *object, tz_error *error);
void tz_json_facts_free(tz_json_facts *facts);

#endif
