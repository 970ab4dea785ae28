/* algebra.c - a semiring with its defaults filled in and its instruction set chosen.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "engine/plan/algebra.h"
#include "rules/table.h"

static const tz_kernels no_kernels;
static const double log_zero = -INFINITY, log_one = 0.0;

static void default_lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                         size_t n) {
    (void)self;
    double *element = ret;
    for (size_t i = 0; i < n; i++)
        element[(ptrdiff_t)i * stride] = score[i] + 0.0;
}

static double default_value(const tz_semiring *self, const void *a) {
    (void)self;
    double value;
    memcpy(&value, a, sizeof value);
    return value;
}

/* The best instruction set up to this one that kernels are compiled for; else the least. */
static tz_isa compiled_isa(unsigned isa) {
    while (isa > 0 && tz_moves_f64[isa] == NULL)
        isa--;
    while (tz_moves_f64[isa] == NULL)
        isa++;
    return (tz_isa)isa;
}

tz_isa tz_machine_isa(unsigned flags) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (flags & TZ_NO_AVX2 || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return TZ_ISA_BASELINE;
    if (flags & TZ_NO_AVX512 || !__builtin_cpu_supports("avx512f") ||
        !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("bmi2"))
        return TZ_ISA_AVX2;
    return TZ_ISA_AVX512;
#else
    (void)flags;
    return TZ_ISA_BASELINE;
#endif
}

/* The semiring's kernels, and the engine's own, for the instruction set. A program's semiring may
 * be compiled for more than the library is. */
static void take_kernels(tz_algebra *ret, unsigned flags) {
    const tz_semiring *s = ret->semiring;
    const tz_kernels *kernels = ret->kernels;
    const unsigned machine = tz_machine_isa(flags), usable = compiled_isa(machine);
    const unsigned most = machine > usable ? machine : usable;
    unsigned isa = most, shares = most, lifts = most;
    while (isa > 0 && kernels->contract[isa] == NULL)
        isa--;
    while (lifts > 0 && kernels->lifts[lifts] == NULL)
        lifts--;
    while (shares > 0 && kernels->shares[shares] == NULL)
        shares--;
    ret->contract = kernels->contract[isa];
    ret->prepare = ret->contract != NULL ? kernels->prepare[isa] : NULL;
    ret->lifts = ret->size <= TZ_MOST_LIFTED ? kernels->lifts[lifts] : NULL;
    ret->shares = kernels->shares[shares];
    ret->product_shares = kernels->product_shares[shares];
    ret->isa = (tz_isa)isa;
    ret->scaled = kernels->widen != NULL;
    ret->score_moves[TZ_DOUBLE] = tz_moves_f64[usable];
    ret->score_moves[TZ_FLOAT] = tz_moves_f32[usable];
    if (ret->size == sizeof(double) && ret->align >= sizeof(double))
        ret->moves = tz_moves_f64[usable];
    else if (ret->size == sizeof(float) && ret->align >= sizeof(float))
        ret->moves = tz_moves_f32[usable];
    ret->lift_copies =
        ret->moves != NULL && (kernels->lift_copies || (s->size == 0 && s->lift == NULL));
}

tz_status tz_algebra_take(tz_algebra *ret, const tz_semiring *s, unsigned flags,
                          tz_error *opt_error) {
    if (s->name == NULL || s->plus == NULL || s->times == NULL)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "a semiring needs a name, plus and times");
    bool doubles = s->size == 0;
    if (!doubles && (s->zero == NULL || s->one == NULL || s->lift == NULL || s->value == NULL))
        return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                       "semiring %s has elements of its own (size %zu), so it must give zero, one, "
                       "lift and value too",
                       s->name, s->size);
    if (s->inputs > TZ_MAX_INPUTS || (s->inputs > 0 && (s->input == NULL || !s->lift_inputs)))
        return tz_fail(
            opt_error, TZ_BAD_ARGUMENT,
            "semiring %s takes %zu inputs: it must give input and lift_inputs, and %d is "
            "the most",
            s->name, s->inputs, TZ_MAX_INPUTS);
    *ret = (tz_algebra){
        .semiring = s,
        .kernels = s->kernels != NULL && !(flags & TZ_PLAIN) ? s->kernels : &no_kernels,
        .size = doubles ? sizeof(double) : s->size,
        .align = doubles ? _Alignof(double) : s->align,
        .zero = s->zero != NULL ? s->zero : &log_zero,
        .one = s->one != NULL ? s->one : &log_one,
        .limit = s->limit > 0 ? s->limit : 1e290,
        .lift = s->lift != NULL ? s->lift : default_lift,
        .value = s->value != NULL ? s->value : default_value,
    };
    ret->blank = true;
    for (size_t b = 0; b < ret->size; b++)
        ret->blank &= ((const char *)ret->zero)[b] == 0;
    if (!(flags & TZ_PLAIN))
        take_kernels(ret, flags);
    if (ret->align == 0 || ret->align > TZ_MAX_ALIGN || (ret->align & (ret->align - 1)) != 0 ||
        ret->size % ret->align != 0)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                       "semiring %s: align must be a power of two up to %d that divides size",
                       s->name, TZ_MAX_ALIGN);
    return TZ_OK;
}

typedef uint32_t __attribute__((may_alias)) word;
typedef uint64_t __attribute__((may_alias)) long_word;

void tz_fill(const tz_algebra *algebra, void *to, const void *element, size_t count) {
    enum { NEAR = 1 << 12 }; /* bytes that are copied over and over: they stay in the cache */
    size_t size = algebra->size, known = size;
    char *data = to;
    if (algebra->blank && element == algebra->zero) {
        memset(data, 0, count * size);
    } else if (size == sizeof(word)) {
        for (size_t i = 0; i < count; i++)
            ((word *)to)[i] = *(const word *)element;
    } else if (size == sizeof(long_word)) {
        for (size_t i = 0; i < count; i++)
            ((long_word *)to)[i] = *(const long_word *)element;
    } else if (count > 0) {
        memcpy(data, element, size);
        for (size_t done = size; done < count * size;) {
            size_t more = known < count * size - done ? known : count * size - done;
            memcpy(data + done, data, more);
            done += more;
            known = done <= NEAR ? done : known;
        }
    }
}
