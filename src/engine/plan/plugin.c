/* plugin.c - semirings that are shared objects: loaded, or refused with the reason.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trapeze/plugin.h>

#include "base/fail.h"
#include "base/modes.h"
#include "engine/plan/algebra.h"

enum { PATH = 4096 };

/* What is wrong with it; NULL: nothing. */
static const char *fault_of(const tz_plugin *plugin) {
    static const uint32_t sizes[] = TZ_PLUGIN_SIZES;
    static const char *const lacks[] = {
        [TZ_ISA_AVX2] = "it is compiled for AVX2, which this machine does not have",
        [TZ_ISA_AVX512] = "it is compiled for AVX-512, which this machine does not have"};
    if (plugin->version != TZ_PLUGIN_VERSION || memcmp(plugin->sizes, sizes, sizeof sizes) != 0)
        return "it is compiled for another version of Trapeze; compile it with the headers of this "
               "one";
    if (plugin->isa > tz_machine_isa(0))
        return plugin->isa < TZ_ISAS ? lacks[plugin->isa]
                                     : "it is compiled for an instruction set that is not known";
    const tz_semiring *s = plugin->semiring;
    if (s == NULL || s->name == NULL || s->plus == NULL || s->times == NULL)
        return "its semiring lacks a name, plus or times";
    return NULL;
}

#if defined(__wasm__)

static const tz_plugin *open_plugin(const char *path, tz_error *opt_error) {
    tz_fail(opt_error, TZ_IO, "%s: WebAssembly has no shared objects", path);
    return NULL;
}

#else

#include <dlfcn.h>

/* dlopen looks for names without a slash elsewhere. */
static void *open_object(const char *path, tz_error *opt_error) {
    char slashed[PATH];
    int size = snprintf(slashed, sizeof slashed, "%s%s", strchr(path, '/') ? "" : "./", path);
    if (size >= PATH) {
        tz_fail(opt_error, TZ_IO, "%.60s...: the name is too long", path);
        return NULL;
    }
    void *ret = dlopen(slashed, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (ret == NULL) {
        const char *why = dlerror(), *text = why != NULL ? why : "it cannot be loaded";
        const size_t named = strlen(slashed);
        if (strncmp(text, slashed, named) == 0 && strncmp(text + named, ": ", 2) == 0)
            text += named + 2;
        tz_fail(opt_error, TZ_IO, "%s: %s", path, text);
    }
    return ret;
}

/* What the object says of itself; NULL after a message. Once loaded, it stays (RTLD_NODELETE). */
static const tz_plugin *open_plugin(const char *path, tz_error *opt_error) {
    void *object = open_object(path, opt_error);
    const tz_plugin *plugin = object != NULL ? dlsym(object, TZ_PLUGIN_SYMBOL) : NULL;
    if (object != NULL && plugin == NULL)
        tz_fail(opt_error, TZ_BAD_ARGUMENT,
                "%s: it is no semiring: it has no " TZ_PLUGIN_SYMBOL
                ", which TZ_PLUGIN (trapeze/plugin.h) defines",
                path);
    if (object != NULL)
        dlclose(object);
    return plugin;
}

#endif

tz_status tz_semiring_load(const char *path, tz_semiring **ret_semiring, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    tz_error error = {TZ_IO, ""};
    *ret_semiring = NULL;
    const tz_plugin *plugin = open_plugin(path, &error);
    const char *fault = plugin != NULL ? fault_of(plugin) : NULL;
    if (plugin == NULL)
        return tz_fail(opt_error, error.status, "%s", error.message);
    if (fault != NULL)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "%s: %s", path, fault);
    tz_semiring *ret = malloc(sizeof *ret);
    if (ret == NULL)
        return tz_fail(opt_error, TZ_NO_MEMORY, "%s", tz_status_name(TZ_NO_MEMORY));
    *ret = *plugin->semiring;
    *ret_semiring = ret;
    return TZ_OK;
}
