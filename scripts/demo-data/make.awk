# make.awk - scores for the demo's sentences, as problems of the rule set `compress`.
#
#   LC_ALL=C awk -f make.awk sentences.txt > demo.jsonl
#
# What a trained model would say of a sentence is made up here: an arc of the tree that a person
# would draw scores high, if it is to a word that a summary needs; every other arc scores low, the
# lower the longer; going from one kept word to the next costs a little; and some noise on all of
# it. SPDX-License-Identifier: MIT

function noise(width) { # -width .. width, repeatable
    seed = (seed * 16807) % 2147483647
    return width * (2 * seed / 2147483647 - 1)
}

function number(x) {
    return sprintf("%.2f", x)
}

/^#/ || !NF { next }

{
    id++
    seed = 1000 + id
    for (m = 1; m <= NF; m++) {
        cut = match($m, /\/[0-9]+$/)
        word[m] = substr($m, 1, cut - 1)
        head[m] = substr($m, cut + 1) + 0
        needed[m] = word[m] !~ /^-./
        if (!needed[m]) {
            word[m] = substr(word[m], 2)
        }
    }
    printf("{\"id\":%d,\"n\":%d,\"words\":[", id, NF)
    for (m = 1; m <= NF; m++) {
        printf("%s\"%s\"", m > 1 ? "," : "", word[m])
    }
    printf "],\"arc\":["
    for (h = 0; h <= NF; h++) {
        printf("%s[null", h > 0 ? "," : "")
        for (m = 1; m <= NF; m++) {
            distance = h < m ? m - h : h - m
            if (h == m) {
                score = "null"
            } else if (head[m] == h) {
                score = number((needed[m] ? 3 : -1) + noise(0.4))
            } else {
                score = number((h == 0 ? -5 : -2.5) - 0.2 * distance + noise(0.4))
            }
            printf(",%s", score)
        }
        printf "]"
    }
    printf "],\"bigram\":["
    for (i = 0; i <= NF; i++) {
        printf("%s[", i > 0 ? "," : "")
        for (j = 0; j <= NF + 1; j++) {
            score = j > i ? number(-0.3 - 0.02 * (j - i - 1) + noise(0.2)) : "null"
            printf("%s%s", j > 0 ? "," : "", score)
        }
        printf "]"
    }
    printf "]}\n"
}
