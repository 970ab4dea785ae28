/* entry_record.c - see entry_record.h.
 *
 * A record is a list of blocks as they were computed: where target and operands stand, and which
 * of the choices that are kept in chart->entries.move they are moved to. All of it holds as long as
 * the indices, the layout and the chart's memory are the same. SPDX-License-Identifier: MIT */
#include "engine/pass/entry_record.h"

#include <string.h>

#include "engine/pass/contract.h"

enum { HEADS = 1 << 12, MOST_RECORDS = 1 << 16, MOST_BLOCKS = 1 << 17 };

typedef struct record {
    tz_entry_key key;
    size_t next;         /* 1 + the record before with the same hash; 0: none */
    size_t first, count; /* blocks */
    bool made;
} record;

typedef struct recorded_block {
    tz_block block;
    size_t operand, move; /* the numbers of the first ones */
    bool joined;
} recorded_block;

static size_t hash_of(const tz_entry_key *key) {
    uint64_t hash = (uint64_t)(uintptr_t)key->step + (uint64_t)(uintptr_t)key->use.cell +
                    key->use.term + key->lane;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        hash = (hash ^ (hash >> 29)) * 0x9e3779b97f4a7c15u + (uint64_t)key->stage[q];
    return (size_t)(hash ^ (hash >> 32)) % HEADS;
}

static bool same_key(const tz_entry_key *a, const tz_entry_key *b) {
    return a->step == b->step && a->tasks == b->tasks && a->lane == b->lane &&
           a->lanes == b->lanes && a->use.cell == b->use.cell && a->use.term == b->use.term &&
           a->use.values == b->use.values && memcmp(a->stage, b->stage, sizeof a->stage) == 0;
}

/* Forgets what has been recorded for memory that is elsewhere. */
static void hold(tz_chart *chart) {
    tz_entry_base base;
    memset(&base, 0, sizeof base);
    base.layout = chart->layout.version;
    base.algebra = chart->algebra;
    base.element = chart->entries.element.data;
    base.uses = chart->entries.uses.data;
    for (unsigned s = 0; s < TZ_SPACES; s++)
        base.space[s] = chart->space[s].data;
    if (memcmp(&base, &chart->entries.base, sizeof base) == 0)
        return;
    tz_entries_unlisted(chart);
    chart->entries.base = base;
}

/* The operands of a block, inner ones first. */
static void copy_operands(tz_operand *to, const tz_block *block) {
    for (unsigned o = 0; o < block->inners; o++)
        to[o] = block->inner[o];
    for (unsigned o = 0; o < block->outers; o++)
        to[block->inners + o] = block->outer[o];
}

/* At `count` places, all at once or one after the other. */
static tz_status contract(tz_chart *chart, tz_block *block, const ptrdiff_t *move, size_t count,
                          bool joined) {
    const double products = (double)block->splits * (double)block->width * (double)block->lanes;
    block->places = joined ? count : 1;
    for (size_t c = 0; c < count; c += block->places) {
        block->place = move + c * block->record;
        tz_contract_placed(chart, block);
    }
    return tz_stops(chart, products * (double)count) ? TZ_STOPPED : TZ_OK;
}

/* ---- Replaying ------------------------------------------------------------------------------ */

static tz_status replay(tz_chart *chart, const record *r) {
    const tz_entry_memory *memory = &chart->entries;
    tz_status status = TZ_OK;
    for (size_t b = r->first; b < r->first + r->count && status == TZ_OK; b++) {
        const recorded_block *recorded = (const recorded_block *)memory->block.data + b;
        tz_block block = recorded->block;
        block.inner = (const tz_operand *)memory->operand.data + recorded->operand;
        block.outer = block.inner + block.inners;
        status = contract(chart, &block, (const ptrdiff_t *)memory->move.data + recorded->move,
                          block.places, recorded->joined);
    }
    return status;
}

/* An empty record for the key, the last one. */
static tz_status begin(tz_chart *chart, const tz_entry_key *key, size_t hash) {
    tz_entry_memory *memory = &chart->entries;
    if (memory->records >= MOST_RECORDS)
        return TZ_OK;
    tz_status status = tz_buffer_grow(&memory->record, memory->records + 1, sizeof(record));
    if (status != TZ_OK)
        return status;
    size_t *head = (size_t *)memory->hash.data + hash;
    record *r = (record *)memory->record.data + memory->records++;
    *r = (record){.key = *key, .next = *head, .first = memory->blocks};
    *head = memory->records;
    memory->recording = true;
    return TZ_OK;
}

bool tz_replay_entries(tz_chart *chart, const tz_entry_key *key, tz_status *ret_status) {
    tz_entry_memory *memory = &chart->entries;
    hold(chart);
    *ret_status = TZ_OK;
    if (memory->records == 0) {
        *ret_status = tz_buffer_reserve(&memory->hash, HEADS, sizeof(size_t));
        if (*ret_status != TZ_OK)
            return true;
        memset(memory->hash.data, 0, HEADS * sizeof(size_t));
    }
    const size_t hash = hash_of(key);
    const record *all = memory->record.data;
    for (size_t n = ((const size_t *)memory->hash.data)[hash]; n > 0; n = all[n - 1].next)
        if (same_key(&all[n - 1].key, key)) {
            if (all[n - 1].made)
                *ret_status = replay(chart, &all[n - 1]);
            return all[n - 1].made;
        }
    *ret_status = begin(chart, key, hash);
    return *ret_status != TZ_OK;
}

/* ---- Recording ------------------------------------------------------------------------------ */

static tz_status add(tz_chart *chart, const tz_block *block, const tz_entry_list *list,
                     bool joined) {
    tz_entry_memory *memory = &chart->entries;
    const unsigned operands = block->inners + block->outers;
    if (!list->kept || block->lows + block->highs > 0 || memory->blocks >= MOST_BLOCKS) {
        /* This one will not be made, nor tried again. */
        memory->blocks = ((record *)memory->record.data)[memory->records - 1].first;
        memory->recording = false;
        return TZ_OK;
    }
    tz_status status = tz_buffer_grow(&memory->block, memory->blocks + 1, sizeof(recorded_block));
    if (status == TZ_OK)
        status = tz_buffer_grow(&memory->operand, memory->operands + operands, sizeof(tz_operand));
    if (status != TZ_OK)
        return status;
    recorded_block *to = (recorded_block *)memory->block.data + memory->blocks++;
    *to = (recorded_block){*block, memory->operands, list->first, joined};
    to->block.places = list->count;
    copy_operands((tz_operand *)memory->operand.data + memory->operands, block);
    memory->operands += operands;
    return TZ_OK;
}

tz_status tz_record_block(tz_chart *chart, const tz_block *block, const tz_entry_list *list,
                          bool joined) {
    tz_block at = *block;
    at.record = list->record;
    tz_status status = chart->entries.recording ? add(chart, &at, list, joined) : TZ_OK;
    return status != TZ_OK ? status : contract(chart, &at, list->move, list->count, joined);
}

void tz_record_end(tz_chart *chart, tz_status status) {
    tz_entry_memory *memory = &chart->entries;
    if (status != TZ_OK) {
        tz_entries_unlisted(chart);
    } else if (memory->recording) {
        record *r = (record *)memory->record.data + memory->records - 1;
        r->count = memory->blocks - r->first;
        r->made = true;
        memory->recording = false;
    }
}
