/* oom.c - see oom.h. SPDX-License-Identifier: MIT */
#include "oom.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tests/support/amount.h"
#include "tests/support/test.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
void __wrap_free(void *block);

/* The blocks that are live: an open-addressing table. libc frees and allocates on its own behalf,
 * so that a bare count would not do. */
enum { SLOTS = 1 << 16 };
static void *slot[SLOTS];
static size_t live;
static atomic_size_t count;
static size_t fail_from, fail_until; /* allocations fail_from <= count < fail_until fail */

static size_t home(const void *block) {
    return (size_t)(((uint64_t)(uintptr_t)block >> 4) * 0x9e3779b97f4a7c15u >> 48) % SLOTS;
}

/* Code under test may have threads. */
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void lock(void) {
    while (atomic_flag_test_and_set(&busy)) {
    }
}

static void unlock(void) {
    atomic_flag_clear(&busy);
}

static void *remember(void *block) {
    if (block) {
        lock();
        if (live > SLOTS / 2)
            abort();
        size_t at = home(block);
        while (slot[at] && slot[at] != block)
            at = (at + 1) % SLOTS;
        /* A block known already was freed by a library, unseen. */
        live += slot[at] == NULL;
        slot[at] = block;
        unlock();
    }
    return block;
}

static void forget(const void *block) {
    if (!block)
        return;
    lock();
    size_t at = home(block);
    while (slot[at] && slot[at] != block)
        at = (at + 1) % SLOTS;
    if (!slot[at]) {
        unlock();
        return;
    }
    live--;
    for (size_t next = (at + 1) % SLOTS; slot[next]; next = (next + 1) % SLOTS) {
        /* Moves a later block into the hole unless its home lies behind the hole. */
        if ((next - home(slot[next])) % SLOTS >= (next - at) % SLOTS) {
            slot[at] = slot[next];
            at = next;
        }
    }
    slot[at] = NULL;
    unlock();
}

static bool failing(void) {
    size_t now = count++;
    return fail_from <= now && now < fail_until;
}

void *__wrap_malloc(size_t size) {
    return failing() ? NULL : remember(__real_malloc(size));
}

void *__wrap_calloc(size_t number, size_t size) {
    return failing() ? NULL : remember(__real_calloc(number, size));
}

void *__wrap_realloc(void *block, size_t size) {
    if (failing())
        return NULL;
    void *moved = __real_realloc(block, size);
    if (moved) {
        forget(block);
        remember(moved);
    }
    return moved;
}

void *__wrap_aligned_alloc(size_t align, size_t size) {
    return failing() ? NULL : remember(__real_aligned_alloc(align, size));
}

void __wrap_free(void *block) {
    forget(block);
    __real_free(block);
}

size_t oom_live(void) {
    return live;
}

size_t oom_count(void) {
    return count;
}

/* onwards: all allocations from the k-th on fail, not the k-th alone; k goes up by `step`. */
static size_t sweep(const char *what, int (*attempt)(void *user), void *user, int failure,
                    bool may_recover, bool onwards, size_t step) {
    size_t before = live;
    for (size_t k = 0;; k += step) {
        size_t first = count + k;
        fail_from = first;
        fail_until = onwards ? SIZE_MAX : first + 1;
        int result = attempt(user);
        fail_from = fail_until = 0;
        bool reached = count > first;
        if (live != before)
            fail_msg("%s: %zu blocks left after allocation %zu failed", what, live - before, k + 1);
        if (!reached) {
            assert_int_equal(result, 0);
            return k;
        }
        if (result != failure && !(may_recover && result == 0))
            fail_msg("%s: returns %d after allocation %zu failed", what, result, k + 1);
    }
}

size_t oom_sweep(const char *what, int (*attempt)(void *user), void *user, int failure,
                 bool may_recover) {
    enum { STEP = AMOUNT(1, 3) };
    size_t once = sweep(what, attempt, user, failure, may_recover, false, 1);
    size_t onwards = sweep(what, attempt, user, failure, false, true, STEP);
    assert_int_equal(onwards, (once + STEP - 1) / STEP * STEP);
    print_message("# %s: %zu allocations\n", what, once);
    return once;
}
