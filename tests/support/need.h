/* need.h - what a test cannot do without. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_NEED_H
#define TZ_TESTS_SUPPORT_NEED_H

/* The pointer; the test fails if it is NULL. */
#define need(pointer) need_pointer((pointer), #pointer, __FILE__, __LINE__)
void *need_pointer(void *pointer, const char *what, const char *file, int line);

#endif
