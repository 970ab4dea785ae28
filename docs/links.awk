# links.awk - a document as it is installed: of links to the source, which is not, the text is left.
# SPDX-License-Identifier: MIT
{
    while (match($0, /\[[^]]*\]\(\.\.\/[^)]*\)/)) {
        text = substr($0, RSTART + 1, RLENGTH)
        sub(/\].*/, "", text)
        $0 = substr($0, 1, RSTART - 1) text substr($0, RSTART + RLENGTH)
    }
    print
}
