/* replace.c - see replace.h. SPDX-License-Identifier: MIT */
#include "base/replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lines.h"

static tz_status fail(const char *path, int why, tz_error *opt_error) {
    return tz_bad_input(opt_error, path, 0, "cannot write: %s", strerror(why));
}

/* ---- Temporary files, which nothing may leave behind ----------------------------------------- */

static const char name[] = ".trapeze-XXXXXX";
enum { RANDOM = 6, NAME = sizeof name - 1, MOST = 16 };

/* Of this process, as far as there is room. */
static char *_Atomic temporaries[MOST];

static void exchange(char *old, char *new) {
    for (size_t t = 0; t < MOST; t++) {
        char *expected = old;
        if (atomic_compare_exchange_strong(&temporaries[t], &expected, new))
            return;
    }
}

static void remove_all_and_end(int number) {
    for (size_t t = 0; t < MOST; t++)
        if (temporaries[t])
            unlink(temporaries[t]);
    raise(number); /* SA_RESETHAND: which ends the process */
}

void tz_replace_clean_on(int number) {
    struct sigaction action = {.sa_handler = remove_all_and_end, .sa_flags = (int)SA_RESETHAND};
    struct sigaction old;
    sigfillset(&action.sa_mask);
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

/* A process locks its temporary files while it lives: those that nobody holds were left behind by
 * one that was killed. */
static void clean(const char *folder) {
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries && (entry = readdir(entries));) {
        struct stat about;
        if (strlen(entry->d_name) != NAME || strncmp(entry->d_name, name, NAME - RANDOM) != 0)
            continue;
        int at = dirfd(entries);
        int file = openat(at, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
            flock(file, LOCK_EX | LOCK_NB) == 0)
            unlinkat(at, entry->d_name, 0);
        if (file >= 0)
            close(file);
    }
    if (entries)
        closedir(entries);
}

/* The descriptor of a new file, locked where the file system can; r->temporary is its path. */
static int make(tz_replace *r) {
    struct stat about;
    char *end = r->temporary + strlen(r->temporary) - NAME;
    do {
        memcpy(end, name, NAME);
        int file = mkstemp(r->temporary);
        if (file < 0)
            return -1;
        fcntl(file, F_SETFD, FD_CLOEXEC);
        flock(file, LOCK_EX);
        /* Before it was locked, another process may have taken it for one left behind. */
        if (fstat(file, &about) != 0 || about.st_nlink > 0)
            return file;
        close(file);
    } while (true);
}

/* No longer ours: it is there under its new name, or is to go. */
static void drop(tz_replace *r) {
    if (!r->temporary)
        return;
    exchange(r->temporary, NULL);
    free(r->temporary);
    close(r->lock);
    r->temporary = NULL;
}

/* ---- Replacing ------------------------------------------------------------------------------- */

static void close_all(tz_replace *r) {
    if (r->file)
        fclose(r->file);
    if (r->temporary)
        unlink(r->temporary);
    drop(r);
    free(r->path);
    *r = (tz_replace){0};
}

/* A new file beside the path, open; 0 or errno. */
static int open_beside(tz_replace *r) {
    const char *slash = strrchr(r->path, '/');
    size_t folder = slash ? (size_t)(slash - r->path) + 1 : 0;
    sigset_t all, before;
    r->temporary = tz_joined(r->path, name, "");
    if (!r->temporary)
        return ENOMEM;
    memcpy(r->temporary + folder, ".", 2);
    clean(r->temporary);
    memcpy(r->temporary + folder, name, sizeof name);
    /* No signal comes between the file and its place in the list. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int file = make(r), why = errno;
    if (file >= 0)
        exchange(NULL, r->temporary);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (file < 0) {
        free(r->temporary);
        r->temporary = NULL;
        return why;
    }
    r->lock = fcntl(file, F_DUPFD_CLOEXEC, 0); /* until the file has its new name */
    r->file = r->lock >= 0 ? fdopen(file, "wb") : NULL;
    if (r->file)
        return 0;
    why = errno;
    close(file);
    return why;
}

tz_status tz_replace_check(const char *path, tz_error *opt_error) {
    char real[PATH_MAX];
    struct stat about;
    bool old = stat(path, &about) == 0;
    int why = old ? 0 : errno;
    if (!old && lstat(path, &about) == 0)
        return tz_bad_input(opt_error, path, 0, "cannot write: the link leads nowhere");
    if (*path != '\0' && why == ENOENT)
        why = 0;
    if (why == 0 && old && S_ISDIR(about.st_mode))
        why = EISDIR;
    /* A new name in the folder would take the place of a file that is protected. */
    if (why == 0 && old && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        why = errno;
    if (why == 0 && (!old || S_ISREG(about.st_mode))) {
        char *folder = tz_joined(realpath(path, real) ? real : path, "", "");
        char *slash = folder ? strrchr(folder, '/') : NULL;
        if (slash)
            slash[1] = '\0';
        bool may =
            folder && faccessat(AT_FDCWD, slash ? folder : ".", W_OK | X_OK, AT_EACCESS) == 0;
        why = may ? 0 : folder ? errno : ENOMEM;
        free(folder);
    }
    return why == 0        ? TZ_OK
           : why == ENOMEM ? tz_out_of_memory(opt_error, path, 0)
                           : fail(path, why, opt_error);
}

tz_status tz_replace_open(const char *path, tz_replace *ret, tz_error *opt_error) {
    char real[PATH_MAX];
    struct stat about;
    *ret = (tz_replace){0};
    tz_status status = tz_replace_check(path, opt_error);
    if (status != TZ_OK)
        return status;
    bool old = stat(path, &about) == 0;
    tz_replace r = {.path = tz_joined(realpath(path, real) ? real : path, "", "")};
    int why = r.path ? 0 : ENOMEM;
    if (why == 0 && old && !S_ISREG(about.st_mode))
        why = (r.file = fopen(r.path, "wb")) ? 0 : errno;
    else if (why == 0)
        why = open_beside(&r);
    if (why != 0) {
        close_all(&r);
        return why == ENOMEM ? tz_out_of_memory(opt_error, path, 0) : fail(path, why, opt_error);
    }
    *ret = r;
    return TZ_OK;
}

/* What the old file may be used for, or what a new one may. */
static mode_t permissions(const char *path) {
    struct stat about;
    if (stat(path, &about) == 0)
        return about.st_mode & 0777;
    mode_t mask = umask(0); /* there is no other way to ask for it */
    umask(mask);
    return 0666 & ~mask;
}

tz_status tz_replace_commit(tz_replace *r, tz_error *opt_error) {
    errno = 0;
    bool good = !ferror(r->file) && fflush(r->file) == 0;
    if (r->temporary) {
        good = good && fchmod(fileno(r->file), permissions(r->path)) == 0 &&
               fsync(fileno(r->file)) == 0;
    }
    good = fclose(r->file) == 0 && good;
    r->file = NULL;
    if (good && r->temporary) {
        good = rename(r->temporary, r->path) == 0;
        if (good)
            drop(r);
    }
    tz_status status = good ? TZ_OK : fail(r->path, errno ? errno : EIO, opt_error);
    close_all(r);
    return status;
}

tz_status tz_replace_text(const char *path, const tz_text *text, tz_error *opt_error) {
    tz_replace file;
    tz_status status = text->failed ? tz_out_of_memory(opt_error, path, 0)
                                    : tz_replace_open(path, &file, opt_error);
    if (status == TZ_OK) {
        tz_text_write(text, file.file); /* what fails shows when it is committed */
        status = tz_replace_commit(&file, opt_error);
    }
    return status;
}

void tz_replace_abandon(tz_replace *r) {
    close_all(r);
}
