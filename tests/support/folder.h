/* folder.h - an empty folder of a test program's own, in which it works:
 * TESTS_BETWEEN(folder_setup, folder_teardown). SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_FOLDER_H
#define TZ_TESTS_SUPPORT_FOLDER_H

/* Makes it and goes there; 0 if that worked. */
int folder_setup(void **state);
/* Leaves it, and removes it with all that is in it; likewise. */
int folder_teardown(void **state);

#endif
