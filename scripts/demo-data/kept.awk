# kept.awk - reads a result with "words" and "marginals" of arc[h,m]; a line for each word.
# SPDX-License-Identifier: MIT
{
    list = $0
    sub(/.*"words":\["/, "", list)
    sub(/"\].*/, "", list)
    n = split(list, word, /","/)
    word[0] = "ROOT"

    table = $0
    sub(/.*"marginals":\{"arc":\[\[/, "", table)
    sub(/\]\].*/, "", table)
    rows = split(table, row, /\],\[/) # row[h + 1] is head h, its cell m + 1 modifier m
    for (h = 0; h < rows; h++) {
        split(row[h + 1], cell, ",")
        for (m = 1; m <= n; m++) {
            p = cell[m + 1] + 0
            kept[m] += p
            if (p > best[m]) {
                best[m] = p
                head[m] = h
            }
        }
    }
    for (m = 1; m <= n; m++) {
        bar = substr("####################", 1, int(20 * kept[m] + 0.5))
        printf("  %-10s %5.3f %-20s %5.3f from %s\n", word[m], kept[m], bar, best[m], word[head[m]])
    }
}
