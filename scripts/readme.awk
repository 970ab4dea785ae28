# readme.awk - README.md as a shell program that does what it shows, in order, in the folder where it
# runs, and ends with 1 at the first command that fails or prints otherwise. Of its blocks those that
# match -v only=REGEX, and not -v without=REGEX; where they are marked as not run, with -v all=1 alone.
# SPDX-License-Identifier: MIT
BEGIN {
    end = "END_OF_README_BLOCK"
    print "printed=$(mktemp) shown=$(mktemp)"
    print "wrong() { echo \"README.md:$1: $2\" >&2; cat \"$printed\" >&2; exit 1; }"
    print "compare() { [ ! -s \"$shown\" ] || diff \"$shown\" \"$printed\" >&2 || wrong \"$1\" 'it prints this'; }"
}

/^<!-- not run/ { marked = !all; next }

/^```/ && language == "" {
    language = substr($1, 4)
    file = $2 != "" ? $2 : language == "python" ? "program.py" : ""
    line = NR
    text = ""
    next
}

/^```/ {
    # What is shown belongs to what stands above it.
    chosen = language == "text" ? chosen : !marked && text ~ only && !(without != "" && text ~ without)
    if (chosen)
        run()
    language = ""
    marked = 0
    next
}

language != "" { text = text $0 "\n" }

function keep(where, what) {
    printf "cat >%s <<'%s'\n%s%s\n", where, end, what, end
}

function command(at, what) {
    printf "echo 'README.md:%d' >&2\n{\n%s\n} </dev/null >\"$printed\" 2>&1 || wrong %d 'it failed'\n", at, what, at
    last = at
}

function shows(what) {
    if (last == 0)
        return
    keep("\"$shown\"", what)
    print "compare " last
    last = 0
}

function run(    lines, count, i, what) {
    if (language == "text") {
        shows(text)
        return
    }
    last = 0
    if (file != "")
        keep(file, text)
    if (language == "python")
        command(line, "python3 " file)
    if (language != "sh")
        return
    count = split(text, lines, "\n")
    what = ""
    for (i = 1; i < count; i++)
        if (lines[i] ~ /^[$] /) {
            shows(what)
            what = ""
            command(line + i, substr(lines[i], 3))
        } else
            what = what lines[i] "\n"
    shows(what)
}
