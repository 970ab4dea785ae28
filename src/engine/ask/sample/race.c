/* race.c - in which order derivations are drawn without replacement.
 *
 * Give every derivation a clock that rings once, after a time drawn from the exponential
 * distribution whose rate is the derivation's probability: the order in which they ring is that of
 * drawing without replacement (Efraimidis & Spirakis 2006, "Weighted random sampling with a
 * reservoir"; minus the log of the time is the log probability plus Gumbel noise, Vieira 2014,
 * "Gumbel-max trick and weighted reservoir sampling"). All need not be drawn: what rings first in a
 * set of derivations rings at the rate of the set, so the tree of choices is opened only where the
 * next one is due, as Kool, van Hoof & Welling 2019 ("Stochastic beams and where to find them",
 * section 4) do from the top down, here without a bound on how many are kept. Where a branch has
 * rung, the first of its instances has; exponential clocks have no memory, so the others ring that
 * much later at the rate that is left of them. This takes the place of the truncated Gumbel
 * variables of their appendix B: nothing cancels, and of the instances that have not rung, one
 * time stands for all. SPDX-License-Identifier: MIT */
#include "engine/ask/sample/sampler.h"
#include "kernels/exp_log.h"

static tz_sample_branch *branch_at(const tz_sampler *s, uint32_t branch) {
    return (tz_sample_branch *)s->race.branch.buffer.data + branch;
}

static tz_sample_pending *pending_at(const tz_sampler *s, uint32_t pending) {
    return (tz_sample_pending *)s->race.pending.buffer.data + pending;
}

/* ---- Branches by time ---------------------------------------------------------------------------
 */

/* Is a due before b? The older one if their times are the same. */
static bool is_due_before(const tz_sampler *s, uint32_t a, uint32_t b) {
    tz_mass at = branch_at(s, a)->time, bt = branch_at(s, b)->time;
    return tz_mass_less(at, bt) || (!tz_mass_less(bt, at) && a < b);
}

/* There is room for it. */
static void push(tz_sampler *s, uint32_t branch) {
    uint32_t *heap = s->race.heap.buffer.data, at = s->race.heap.count++;
    for (; at > 0 && is_due_before(s, branch, heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = branch;
}

/* The one that is due first; there is one. */
static uint32_t pop(tz_sampler *s) {
    uint32_t *heap = s->race.heap.buffer.data, first = heap[0];
    uint32_t count = --s->race.heap.count, last = heap[count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_due_before(s, heap[child + 1], heap[child]))
            child++;
        if (!is_due_before(s, heap[child], last))
            break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return first;
}

/* ---- Arrivals -----------------------------------------------------------------------------------
 */

/* Exponentially distributed, of rate 1. */
static double exponential(tz_stream *stream) {
    return -tz_log(tz_uniform(stream));
}

/* The x-th instance of a branch, those that have arrived coming first. As long as that is one, no
 * order is kept: it has changed places with the first. */
static uint32_t in_order(const tz_sampler *s, const tz_sample_branch *b, uint32_t x) {
    if (b->order != TZ_NOWHERE)
        return ((const uint32_t *)s->race.order.buffer.data)[b->order + x];
    return x == 0 ? b->first : x == b->first ? 0 : x;
}

/* Sum of the shares of the instances to come. */
static tz_mass mass_to_come(const tz_sampler *s, const tz_sample_branch *b) {
    const tz_sample_item *item = tz_sample_item_at(s, b->item);
    const tz_sample_instance *instance = tz_sample_instance_at(s, item->instance);
    tz_mass sum = TZ_MASS_ZERO;
    for (uint32_t x = b->arrived; x < item->instances; x++)
        sum = tz_mass_plus(sum, instance[in_order(s, b, x)].mass);
    return sum;
}

/* Which of the instances to come arrives, with the probability of its share of theirs. */
static uint32_t draw_to_come(tz_sampler *s, const tz_sample_branch *b) {
    const tz_sample_item *item = tz_sample_item_at(s, b->item);
    const tz_sample_instance *instance = tz_sample_instance_at(s, item->instance);
    tz_mass u = tz_mass_of(tz_uniform(&s->stream), 0), sum = TZ_MASS_ZERO;
    tz_mass point = tz_mass_times(u, mass_to_come(s, b)); /* less than it */
    uint32_t x = b->arrived;
    for (; x + 1 < item->instances; x++) {
        sum = tz_mass_plus(sum, instance[in_order(s, b, x)].mass);
        if (tz_mass_less(point, sum))
            break;
    }
    return x;
}

/* Keeps the order of a branch's instances in memory from now on. There is room. */
static void keep_order(tz_sampler *s, tz_sample_branch *b) {
    tz_sample_list *list = &s->race.order;
    uint32_t *order = (uint32_t *)list->buffer.data + list->count;
    uint32_t instances = tz_sample_item_at(s, b->item)->instances;
    for (uint32_t x = 0; x < instances; x++)
        order[x] = in_order(s, b, x);
    b->order = list->count;
    list->count += instances;
}

/* The x-th instance of a branch has arrived. */
static void arrived(tz_sampler *s, tz_sample_branch *b, uint32_t x) {
    uint32_t *order = s->race.order.buffer.data;
    if (b->order == TZ_NOWHERE) {
        b->first = x;
    } else {
        uint32_t instance = order[b->order + x];
        order[b->order + x] = order[b->order + b->arrived];
        order[b->order + b->arrived] = instance;
    }
    b->arrived++;
}

/* Puts the premises of an instance in front of a list of pending items. There is room. */
static uint32_t push_premises(tz_sampler *s, const tz_sample_instance *instance, uint32_t next) {
    const uint32_t *premise = (const uint32_t *)s->items.premise.buffer.data + instance->premise;
    for (unsigned p = instance->premises; p-- > 0;) {
        uint32_t new = s->race.pending.count++;
        *pending_at(s, new) = (tz_sample_pending){premise[p], next};
        next = new;
    }
    return next;
}

/* The branch that is due: one of its instances arrives, the sample goes on from there, and the rest
 * will be due later. */
static tz_status arrive(tz_sampler *s) {
    tz_sample_race *race = &s->race;
    tz_sample_branch *b = branch_at(s, race->arriving);
    const tz_sample_item *item = tz_sample_item_at(s, b->item);
    bool order = b->arrived == 1 && b->order == TZ_NOWHERE;
    tz_status status = tz_sample_room(&race->heap, 1, sizeof(uint32_t));
    if (status == TZ_OK)
        status = tz_sample_room(&race->pending, TZ_MAX_TERMS, sizeof(tz_sample_pending));
    if (status == TZ_OK && order)
        status = tz_sample_room(&race->order, item->instances, sizeof(uint32_t));
    if (status != TZ_OK)
        return status;
    if (order)
        keep_order(s, b);
    uint32_t x = draw_to_come(s, b), chosen = in_order(s, b, x);
    const tz_sample_instance *instance = tz_sample_instance_at(s, item->instance);
    tz_mass all = tz_mass_of(instance[item->instances - 1].up_to, 0);
    race->rate = tz_mass_times(b->rate, tz_mass_over(instance[chosen].mass, all));
    race->time = b->time;
    race->before = race->arriving;
    race->chosen = chosen;
    race->next = push_premises(s, &instance[chosen], b->pending);
    race->arriving = TZ_NOWHERE;
    arrived(s, b, x);
    if (b->arrived == item->instances)
        return TZ_OK;
    tz_mass left = tz_mass_times(b->rate, tz_mass_over(mass_to_come(s, b), all));
    tz_mass later = tz_mass_over(tz_mass_of(exponential(&s->stream), 0), left);
    b->time = tz_mass_plus(b->time, later);
    push(s, race->before);
    return TZ_OK;
}

/* Expands the next pending item: to its instance if there is one only, else to a branch, at which
 * an instance arrives now. */
static tz_status descend(tz_sampler *s) {
    tz_sample_race *race = &s->race;
    tz_sample_pending pending = *pending_at(s, race->next);
    tz_status status = tz_sample_expand(s, pending.item);
    if (status == TZ_OK)
        status = tz_sample_room(&race->pending, TZ_MAX_TERMS, sizeof pending);
    if (status == TZ_OK)
        status = tz_sample_room(&race->branch, 1, sizeof(tz_sample_branch));
    if (status != TZ_OK)
        return status;
    const tz_sample_item *item = tz_sample_item_at(s, pending.item);
    if (item->instances == 1) {
        race->next = push_premises(s, tz_sample_instance_at(s, item->instance), pending.next);
        return TZ_OK;
    }
    race->arriving = race->branch.count++;
    *branch_at(s, race->arriving) = (tz_sample_branch){.rate = race->rate,
                                                       .time = race->time,
                                                       .before = race->before,
                                                       .chosen = race->chosen,
                                                       .item = pending.item,
                                                       .pending = pending.next,
                                                       .order = TZ_NOWHERE};
    return TZ_OK;
}

/* Lists the choices of the sample, the last one first. */
static tz_status list_choices(tz_sampler *s) {
    uint32_t before = s->race.before, chosen = s->race.chosen;
    for (s->choices = 0; before != TZ_NOWHERE;) {
        const tz_sample_branch *b = branch_at(s, before);
        tz_status status = tz_buffer_grow(&s->choice, s->choices + 1, sizeof chosen);
        if (status != TZ_OK)
            return status;
        ((uint32_t *)s->choice.data)[s->choices++] = chosen;
        before = b->before;
        chosen = b->chosen;
    }
    return TZ_OK;
}

/* ---- Samples ------------------------------------------------------------------------------------
 */

tz_status tz_sample_race_start(tz_sampler *s) {
    tz_sample_race *race = &s->race;
    tz_status status = tz_sample_room(&race->pending, 1, sizeof(tz_sample_pending));
    if (status != TZ_OK)
        return status;
    *pending_at(s, race->pending.count++) = (tz_sample_pending){.item = 0, .next = TZ_NOWHERE};
    race->running = true;
    race->arriving = race->before = TZ_NOWHERE;
    race->rate = TZ_MASS_ONE;
    race->time = TZ_MASS_ZERO; /* the first ring of all, from which others are counted */
    return TZ_OK;
}

tz_status tz_sample_race_next(tz_sampler *s) {
    tz_sample_race *race = &s->race;
    if (!race->running) {
        if (race->heap.count == 0)
            return TZ_NONE;
        race->arriving = pop(s);
        s->stream = (tz_stream){.seed = s->stream.seed, .number = s->drawn};
        race->running = true;
    }
    /* What fails for want of memory goes on from here the next time. */
    while (race->arriving != TZ_NOWHERE || race->next != TZ_NOWHERE) {
        tz_status status = race->arriving != TZ_NOWHERE ? arrive(s) : descend(s);
        if (status != TZ_OK)
            return status;
    }
    return list_choices(s);
}
