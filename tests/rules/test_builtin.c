/* test_builtin.c - does the generator print what the compiler made?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/equal.h"
#include "tests/support/rules_text.h"

static tz_rules *read_rules(const char *path) {
    tz_rules *rules;
    tz_error error;
    if (tz_rules_read(path, &rules, &error) != TZ_OK)
        fail_msg("%s", error.message);
    return rules;
}

/* A file read now is the table that was built in, and there are no others. */
TEST(same_as_files) {
    DIR *folder = need(opendir(TZ_SOURCE_ROOT "/rules"));
    size_t files = 0, builtin = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 6, ".rules") != 0)
            continue;
        char path[1024];
        snprintf(path, sizeof path, "%s/rules/%s", TZ_SOURCE_ROOT, entry->d_name);
        OWN(tz_rules, read) = read_rules(path);
        const tz_rules *found = tz_rules_find(tz_rules_name(read));
        assert_non_null(found);
        if (!tz_rules_equal(read, found) || !tz_rules_equal(found, read))
            fail_msg("%s is not what is built in", path);
        files++;
    }
    closedir(folder);
    while (tz_rules_builtin(builtin))
        builtin++;
    assert_int_equal(files, builtin);
}

/* Every file of the gallery is found by its name, and read from its text, and there are no others.
 */
TEST(gallery) {
    struct dirent **entry;
    int count = scandir(TZ_SOURCE_ROOT "/rules/gallery", &entry, is_rule_file, alphasort);
    for (int e = 0; e < count; e++) {
        char path[1024];
        OWN(tz_rules, found) = NULL;
        tz_error error;
        snprintf(path, sizeof path, TZ_SOURCE_ROOT "/rules/gallery/%s", entry[e]->d_name);
        const char *name = tz_gallery_name((size_t)e);
        if (name == NULL || tz_gallery_read(name, &found, &error) != TZ_OK)
            fail_msg("%s is not in the gallery", path);
        OWN(tz_rules, read) = read_rules(path);
        assert_true(tz_rules_equal(read, found));
        free(entry[e]);
    }
    free(entry);
    assert_null(tz_gallery_name((size_t)count));
    assert_null(tz_gallery_name(SIZE_MAX));
    static const char *const unknown[] = {"", "nussinov", "gallery/", "gallery/nusinov"};
    for (size_t u = 0; u < sizeof unknown / sizeof *unknown; u++) {
        tz_rules *rules;
        tz_error error;
        assert_int_equal(tz_gallery_read(unknown[u], &rules, &error), TZ_BAD_ARGUMENT);
        assert_null(rules);
        assert_non_null(strstr(error.message, "the gallery has no rule set '"));
        assert_int_equal(tz_gallery_read(unknown[u], &rules, NULL), TZ_BAD_ARGUMENT);
    }
}

TEST(registry) {
    const tz_rules *rules, *before = NULL;
    for (size_t i = 0; (rules = tz_rules_builtin(i)); i++) {
        assert_ptr_equal(tz_rules_find(tz_rules_name(rules)), rules);
        assert_true(!before || strcmp(tz_rules_name(before), tz_rules_name(rules)) < 0);
        assert_true(!before || !tz_rules_equal(before, rules));
        tz_rules_free((tz_rules *)(uintptr_t)rules); /* does nothing */
        before = rules;
    }
    assert_non_null(before);
    assert_null(tz_rules_builtin(SIZE_MAX));
    assert_null(tz_rules_find(""));
    assert_null(tz_rules_find("Eisner"));
    assert_null(tz_rules_find("eisner-"));
    assert_null(tz_rules_find("zzz"));
}

/* One change each: to a text, a number, an order, a condition, a bound. */
TEST(differences) {
    static const char *const text[] = {
        "# A comment.\nrules r\nlength n\nitem a[i] 0 <= i <= n\ngoal a[n]\n"
        "axiom\n---- start\na[0]\na[i]\n---- next\na[i+1]\n",
        "# A Comment.\nrules r\nlength n\nitem a[i] 0 <= i <= n\ngoal a[n]\n"
        "axiom\n---- start\na[0]\na[i]\n---- next\na[i+1]\n",
        "# A comment.\nrules r\nlength n\nitem a[j] 0 <= j <= n\ngoal a[n]\n"
        "axiom\n---- start\na[0]\na[i]\n---- next\na[i+1]\n",
        "# A comment.\nrules r\nlength n\nitem a[i] 0 <= i <= n\ngoal a[n]\n"
        "axiom\n---- start\na[0]\n\na[i]\n---- next\na[i+1]\n",
        "# A comment.\nrules r\nlength n\nitem a[i] 0 <= i <= n\ngoal a[n]\n"
        "axiom\n---- start\na[0]\na[i]\n---- next\na[i+2]\n",
        "# A comment.\nrules r\nlength n\nitem a[i] 0 <= i <= n\ngoal a[n]\n"
        "axiom\n---- start\na[0]\na[i]\n---- next if i > 3\na[i+1]\n",
        "# A comment.\nrules r\nlength n\nitem a[i] 0 <= i <= n\ngoal a[n]\ncount 1 1 1\n"
        "axiom\n---- start\na[0]\na[i]\n---- next\na[i+1]\n",
        "# A comment.\nrules r\nlength n\nitem a[i] 0 <= i <= n\ngoal a[n]\ncount 1 1 2\n"
        "axiom\n---- start\na[0]\na[i]\n---- next\na[i+1]\n",
    };
    enum { TEXTS = sizeof text / sizeof *text };
    for (int a = 0; a < TEXTS; a++) {
        for (int b = 0; b < TEXTS; b++) {
            OWN(tz_rules, left) = parse_rules(text[a]);
            OWN(tz_rules, right) = parse_rules(text[b]);
            assert_int_equal(tz_rules_equal(left, right), a == b);
        }
    }
}
