/* semirings_compile.c - `trapeze semirings compile`: a text as C, and as a plug-in.
 *
 * The compiler reads the C file from its standard input. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/replace.h"
#include "cli/cli.h"

extern char **environ;

enum { PATH = 4096, WORDS = 48, WORD_BYTES = 4096 };

typedef struct settings {
    const char *output, *source, *from;
} settings;

/* ---- The compiler ---------------------------------------------------------------------------- */

/* A command line. */
typedef struct command_line {
    char *word[WORDS + 1];
    size_t words;
    char text[WORD_BYTES]; /* of variables of the environment */
    size_t used;
} command_line;

static void add_word(command_line *to, const char *word) {
    if (to->words < WORDS)
        to->word[to->words++] = (char *)word;
}

/* The words of a variable of the environment; what has no room is left out. */
static void add_variable(command_line *to, const char *name, const char *otherwise) {
    const char *value = getenv(name);
    value = value != NULL && value[strspn(value, " \t")] != '\0' ? value : otherwise;
    const size_t size = strlen(value) + 1;
    if (size > sizeof to->text - to->used)
        return;
    char *text = memcpy(to->text + to->used, value, size), *more;
    to->used += size;
    for (char *word = strtok_r(text, " \t", &more); word != NULL;
         word = strtok_r(NULL, " \t", &more))
        add_word(to, word);
}

/* The headers of the installation that this program is of, if they are not where compilers look. */
static bool own_headers(char ret_folder[PATH]) {
    static const char tail[] = "../include", header[] = "/trapeze/vectors.h";
    const ssize_t size = readlink("/proc/self/exe", ret_folder, PATH - sizeof tail - sizeof header);
    ret_folder[size > 0 ? size : 0] = '\0';
    char *slash = strrchr(ret_folder, '/');
    if (slash == NULL)
        return false;
    strcpy(slash + 1, tail);
    char *end = slash + 1 + strlen(tail);
    strcpy(end, header);
    const bool there = access(ret_folder, R_OK) == 0;
    *end = '\0';
    return there;
}

static tz_status run_compiler(command_line *line, int input, int *ret_status) {
    posix_spawn_file_actions_t actions;
    pid_t child;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return TZ_NO_MEMORY;
    int failed = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    line->word[line->words] = NULL;
    if (failed == 0)
        failed = posix_spawnp(&child, line->word[0], &actions, NULL, line->word, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (failed == 0 && waitpid(child, ret_status, 0) < 0)
        failed = errno == EINTR ? 0 : errno;
    errno = failed;
    return failed == 0 ? TZ_OK : failed == ENOMEM ? TZ_NO_MEMORY : TZ_IO;
}

/* The plug-in `output`, of a C file. */
static int compile_text(const char *command, const char *text, const char *from,
                        const char *output) {
    command_line line = {.words = 0};
    char folder[PATH];
    FILE *input = tmpfile();
    if (input == NULL || fputs(text, input) < 0 || fflush(input) != 0 ||
        lseek(fileno(input), 0, SEEK_SET) != 0) {
        tz_message(command, "a temporary file: %s", strerror(errno));
        if (input != NULL)
            fclose(input);
        return TZ_EXIT_INPUT;
    }
    add_variable(&line, "CC", "cc");
    add_word(&line, "-O3");
#if defined(__aarch64__)
    add_word(&line, "-mcpu=native");
#else
    add_word(&line, "-march=native");
#endif
    add_variable(&line, "CFLAGS", "-w");
    if (own_headers(folder)) {
        add_word(&line, "-I");
        add_word(&line, folder);
    }
    static const char *const rest[] = {"-fPIC", "-shared", "-fvisibility=hidden", "-x", "c",
                                       "-",     "-o"};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        add_word(&line, rest[i]);
    add_word(&line, output);
    add_word(&line, "-lm");
    int ended = 0;
    const tz_status status = run_compiler(&line, fileno(input), &ended);
    const int failure = errno;
    fclose(input);
    if (status != TZ_OK) {
        tz_message(
            command,
            "there is no C compiler '%s' (%s): install gcc or clang, or name one in the "
            "environment variable CC. '-s %s' needs none, and '--c FILE.c' writes what would "
            "be compiled",
            line.word[0], strerror(failure), from);
        return TZ_EXIT_INPUT;
    }
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
        return 0;
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 127)
        tz_message(command, "%s cannot be run; name a C compiler in the environment variable CC",
                   line.word[0]);
    else
        tz_message(
            command,
            "%s failed. Where it does not find trapeze/vectors.h, install the headers of "
            "Trapeze (libtrapeze-dev), or name their folder in the environment variable CPATH",
            line.word[0]);
    return TZ_EXIT_INPUT;
}

/* ---- The command ----------------------------------------------------------------------------- */

static int write_source(const char *command, const char *text, const char *path) {
    tz_error error = {TZ_OK, ""};
    tz_replace file;
    if (strcmp(path, "-") == 0) {
        fputs(text, stdout);
        return tz_flush_results(command);
    }
    tz_status status = tz_replace_open(path, &file, &error);
    if (status == TZ_OK) {
        fputs(text, file.file);
        status = tz_replace_commit(&file, &error);
    }
    return status == TZ_OK ? 0 : tz_failed(command, status, &error);
}

/* ways.so of folder/ways.semiring, in the folder that one is in. */
static bool default_output(const char *from, char ret_path[PATH]) {
    const char *slash = strrchr(from, '/'), *base = slash != NULL ? slash + 1 : from;
    const int size = (int)(strlen(base) - strlen(".semiring"));
    return snprintf(ret_path, PATH, "%.*s.so", size, base) < PATH;
}

static int compile(const char *command, const char *from, const settings *to) {
    char path[PATH], *text;
    const char *output = to->output;
    tz_semiring *semiring;
    tz_error error = {TZ_OK, ""};
    int failed = tz_open_semiring(command, from, TZ_F64, &semiring);
    if (failed)
        return failed;
    tz_status status = tz_semiring_source(semiring, &text, &error);
    tz_semiring_free(semiring);
    if (status != TZ_OK)
        return tz_failed(command, status, &error);
    if (to->source != NULL)
        failed = write_source(command, text, to->source);
    if (output == NULL && to->source == NULL && default_output(from, path))
        output = path;
    if (!failed && output != NULL)
        failed = compile_text(command, text, from, output);
    free(text);
    return failed;
}

int tz_semirings_compile(int argc, char **argv) {
    static const tz_option option[] = {
        {"output", 'o', "FILE", "the plug-in, FILE.so (NAME.so, in this folder)",
         TZ_TEXT_AT(settings, output)},
        {"c", 0, "FILE", "write the C file to FILE, too; without -o compile nothing",
         TZ_TEXT_AT(settings, source)},
    };
    tz_options options = {
        .command = "trapeze semirings compile",
        .synopsis = "[OPTION]... NAME.semiring",
        .about =
            "Makes a plug-in of a semiring that is given as text: as fast as a built-in one, for\n"
            "machines like this one. '-s ./NAME.so' uses it.\n",
        .notes =
            "The compiler is 'cc', or what the environment variable CC names, with the options in\n"
            "CFLAGS behind -O3 -march=native. Whoever loads a plug-in runs its code; a text is\n"
            "harmless, and so is the plug-in that this command makes of it.\n",
        TZ_COMMAND_ROWS(option, argc, argv),
        TZ_OPERANDS("one NAME.semiring", "what can be compiled is a file, NAME.semiring", 1,
                    {offsetof(settings, from)})};
    settings to = {NULL, NULL, NULL};
    if (!tz_take_options(&options, NULL, &to))
        return options.status;
    if (!tz_is_semiring_file(to.from))
        return tz_usage_error(options.command, "what can be compiled is a file, NAME.semiring");
    if (to.output != NULL && !tz_is_plugin_file(to.output))
        return tz_usage_error(options.command,
                              "the name of a plug-in ends with .so: -o %s.so is one", to.output);
    return compile(options.command, to.from, &to);
}
