/* flags.c - see flags.h. SPDX-License-Identifier: MIT */

#include "kernels/flags.h"

#include <fenv.h>

#if defined(TZ_OWN_FLAG)
_Thread_local bool tz_flag;

bool tz_flags_raised(void) {
    return tz_flag;
}

unsigned tz_flags_take(void) {
    bool before = tz_flag;
    tz_flag = false;
    return before;
}

bool tz_flags_return(unsigned before) {
    bool raised = tz_flag;
    tz_flag |= before != 0;
    return raised;
}
#elif defined(__x86_64__) && defined(__GNUC__)
/* The flags of SSE and AVX; fenv.h would store and load the state of the x87 as well. What is there
 * already is not written: that waits for all arithmetic before it. */
enum { OVERFLOW_OR_UNDERFLOW = 1 << 3 | 1 << 4 };

bool tz_flags_raised(void) {
    return (__builtin_ia32_stmxcsr() & OVERFLOW_OR_UNDERFLOW) != 0;
}

unsigned tz_flags_take(void) {
    unsigned before = __builtin_ia32_stmxcsr();
    if (before & OVERFLOW_OR_UNDERFLOW)
        __builtin_ia32_ldmxcsr(before & ~(unsigned)OVERFLOW_OR_UNDERFLOW);
    return before & OVERFLOW_OR_UNDERFLOW;
}

bool tz_flags_return(unsigned before) {
    unsigned now = __builtin_ia32_stmxcsr();
    if ((now & OVERFLOW_OR_UNDERFLOW) != before)
        __builtin_ia32_ldmxcsr((now & ~(unsigned)OVERFLOW_OR_UNDERFLOW) | before);
    return (now & OVERFLOW_OR_UNDERFLOW) != 0;
}
#else
bool tz_flags_raised(void) {
    return fetestexcept(FE_UNDERFLOW | FE_OVERFLOW) != 0;
}

unsigned tz_flags_take(void) {
    unsigned before = (unsigned)fetestexcept(FE_UNDERFLOW | FE_OVERFLOW);
    feclearexcept(FE_UNDERFLOW | FE_OVERFLOW);
    return before;
}

bool tz_flags_return(unsigned before) {
    bool raised = fetestexcept(FE_UNDERFLOW | FE_OVERFLOW) != 0;
    feclearexcept(FE_UNDERFLOW | FE_OVERFLOW);
    feraiseexcept((int)before);
    return raised;
}
#endif
