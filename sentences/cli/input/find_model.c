/* find_model.c - see find_model.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/input/find_model.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* As the build says; TZ_MODEL_FOLDER is where models are installed. In a Python wheel the model is
 * in the package, and TZ_PYTHON_FOLDER is the folder of packages, from the prefix: lib/python3.11.
 */
#ifndef TZ_MODEL_FOLDER
#error "TZ_MODEL_FOLDER is not defined"
#endif

/* The folder of this program with a '/' at its end, or "" where the system does not tell. */
static void own_folder(char *ret_folder, size_t room) {
    ssize_t size = readlink("/proc/self/exe", ret_folder, room - 1);
    ret_folder[size > 0 ? size : 0] = '\0';
    char *slash = strrchr(ret_folder, '/');
    if (slash)
        slash[1] = '\0';
}

static char *join(const char *folder, const char *name) {
    size_t size = strlen(folder) + strlen(name) + 1;
    char *path = malloc(size);
    if (path) {
        strcpy(path, folder);
        strcat(path, name);
    }
    return path;
}

int tz_find_model(const char *command, char **ret_path) {
    char own[4096];
    own_folder(own, sizeof own);
    const char *named = getenv("TRAPEZE_MODEL");
    const char *const place[][2] = {
        {own, "english.model"},
        {own, "../share/trapeze/english.model"},
#ifdef TZ_PYTHON_FOLDER
        {own, "../" TZ_PYTHON_FOLDER "/site-packages/trapeze/english.model"},
        {own, "../" TZ_PYTHON_FOLDER "/dist-packages/trapeze/english.model"}, /* Debian's */
        {own, "../trapeze/english.model"},                                    /* pip --target */
#endif
        {TZ_MODEL_FOLDER, "/english.model"},
    };
    if (named && *named) {
        *ret_path = join(named, "");
        return *ret_path ? 0 : TZ_EXIT_INPUT;
    }
    for (size_t p = 0; p < sizeof place / sizeof *place; p++) {
        char *path = place[p][0][0] ? join(place[p][0], place[p][1]) : NULL;
        if (path && access(path, R_OK) == 0) {
            *ret_path = path;
            return 0;
        }
        free(path);
    }
    *ret_path = NULL;
    tz_message(command, "there is no model beside the program nor in " TZ_MODEL_FOLDER
                        "; name one with -m MODEL or the environment variable TRAPEZE_MODEL");
    return TZ_EXIT_INPUT;
}

int tz_load_models(const char *command, const char *path, unsigned stages, unsigned must,
                   unsigned threads, tz_analyser **ret_analyser) {
    tz_pack pack;
    tz_error error = {TZ_OK, ""};
    tz_status status = tz_pack_load(path, &pack, &error);
    *ret_analyser = NULL;
    if (status == TZ_OK)
        status = tz_analyser_new(&pack, stages | must, threads, ret_analyser, &error);
    tz_pack_free(&pack);
    if (status != TZ_OK)
        return tz_failed(command, status, &error);
    unsigned missing = must & ~tz_analyser_stages(*ret_analyser);
    if (missing == 0)
        return 0;
    tz_stage first = TZ_STAGE_TAG;
    while (!(missing >> first & 1))
        first++;
    tz_message(command,
               "%s: there is no %s in this model; `trapeze model pack` puts models together", path,
               tz_stage_name(first));
    tz_analyser_free(*ret_analyser);
    *ret_analyser = NULL;
    return TZ_EXIT_INPUT;
}
