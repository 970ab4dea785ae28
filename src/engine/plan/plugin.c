/* plugin.c - semirings that are shared objects: loaded, or refused with the reason.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trapeze/plugin.h>

#include "base/fail.h"
#include "base/modes.h"
#include "engine/plan/algebra.h"

#if defined(__wasm__)

tz_status tz_semiring_load(const char *path, tz_semiring **ret_semiring, tz_error *opt_error) {
    *ret_semiring = NULL;
    return tz_fail(opt_error, TZ_IO, "%s: WebAssembly has no shared objects", path);
}

#else

#include <dlfcn.h>

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

tz_status tz_semiring_load(const char *path, tz_semiring **ret_semiring, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    *ret_semiring = NULL;
    void *object = open_object(path, opt_error);
    if (object == NULL)
        return TZ_IO;
    const tz_plugin *plugin = dlsym(object, TZ_PLUGIN_SYMBOL);
    const char *fault = plugin != NULL ? fault_of(plugin)
                                       : "it is no semiring: it has no " TZ_PLUGIN_SYMBOL
                                         ", which TZ_PLUGIN (trapeze/plugin.h) defines";
    tz_semiring *ret = fault == NULL ? malloc(sizeof *ret) : NULL;
    if (ret != NULL)
        *ret = *plugin->semiring;
    dlclose(object); /* where it is used, it stays (RTLD_NODELETE) */
    *ret_semiring = ret;
    if (fault != NULL)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "%s: %s", path, fault);
    return ret != NULL ? TZ_OK
                       : tz_fail(opt_error, TZ_NO_MEMORY, "%s", tz_status_name(TZ_NO_MEMORY));
}

#endif
