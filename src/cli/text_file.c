/* text_file.c - see text_file.h. SPDX-License-Identifier: MIT */
#include "cli/text_file.h"

#include <errno.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/terminal.h"
#include "ranks/ranks.h"

int tz_text_file_open(const char *command, const char *name, size_t limit, tz_text_file *ret_file) {
    bool standard = !name || strcmp(name, "-") == 0;
    tz_text_file text = {.file = standard ? stdin : fopen(name, "rb")};
    *ret_file = (tz_text_file){0};
    if (standard && tz_ranks() > 1)
        return tz_usage_error(command, "%s", tz_no_input_of_ranks);
    if (!text.file) {
        bool sentence = errno == ENOENT && strchr(name, ' ') != NULL;
        tz_message(command, "%s: %s%s%s", name, strerror(errno),
                   sentence ? "; a sentence goes to standard input: echo 'Words.' | " : "",
                   sentence ? command : "");
        return TZ_EXIT_INPUT;
    }
    if (standard)
        tz_tell_waiting(command);
    text.lines = tz_lines_new(text.file, standard ? "standard input" : name, limit);
    if (!text.lines) {
        tz_text_file_close(&text);
        return tz_failed(command, TZ_NO_MEMORY, NULL);
    }
    *ret_file = text;
    return 0;
}

void tz_text_file_close(tz_text_file *text) {
    tz_lines_free(text->lines);
    if (text->file && text->file != stdin)
        fclose(text->file);
    *text = (tz_text_file){0};
}
