/* tiny_pairs.c - see tiny_pairs.h. SPDX-License-Identifier: MIT */
#include "tests/support/tiny_pairs.h"

#include <math.h>
#include <string.h>

const tz_form lexicon[BASE] = {{0, 0},   {100, 1}, {101, 1}, {102, 2},
                               {103, 3}, {104, 4}, {105, 1}, {106, 9}};
const char *const spelling[BASE] = {"", "cat", "bird", "run", "dog", "the", "animals", "guide"};

const tiny_pair texts[PAIRS] = {
    {4,
     3,
     {1, 6, 3, 4},
     {2, 3, 4},
     {4, 4, 4, 4},
     {2, 4, 2, 0},
     {"NN", "VB", "IN", "VB"},
     {"obj", "obl", "case", "root"}},
    {4,
     2,
     {7, 4, 4, 2},
     {4, 5},
     {2, 2, 4, 4},
     {2, 0, 0, 1},
     {"NN", "NN", "VB", "NN"},
     {"obj", "root", "root", "obl"}},
    {3,
     4,
     {3, 1, 3},
     {3, 1, 1, 4},
     {2, 2, 3},
     {0, 1, 0},
     {"IN", "NN", "VB"},
     {"root", "obl", "root"}},
};
const char *const labels[LABELS] = {"NN", "VB", "IN", "(obl)", "(root)"};

/* ---- Phrases --------------------------------------------------------------------------------- */

int key(const int *word, int length) {
    int number = 0;
    for (int w = 0; w < length; w++)
        number = number * BASE + word[w];
    return number;
}

int length_of(int key) {
    return key >= BASE * BASE ? 3 : key >= BASE ? 2 : 1;
}

bool same_stems(int y, int x) {
    if (length_of(y) != length_of(x))
        return false;
    for (; y > 0; y /= BASE, x /= BASE)
        if (lexicon[y % BASE].stem != lexicon[x % BASE].stem)
            return false;
    return true;
}

double alike(int y) {
    double product = 1;
    for (; y > 0; y /= BASE) {
        int members = 0;
        for (int x = 1; x <= VOCABULARY; x++)
            members += lexicon[x].stem == lexicon[y % BASE].stem;
        product *= members;
    }
    return product;
}

/* ---- WordNet and syntax ---------------------------------------------------------------------- */

int edges(int y, int x) {
    enum { GUIDE_DOG = 7 * BASE + 4 };
    static const int between[6][6] = {
        {0, 3, -1, 2, 2, 3},     /* cat */
        {3, 0, -1, 3, 1, 4},     /* bird */
        {-1, -1, 0, -1, -1, -1}, /* run */
        {2, 3, -1, 0, 2, 1},     /* dog */
        {2, 1, -1, 2, 0, 3},     /* animals */
        {3, 4, -1, 1, 3, 0},     /* guide dog */
    };
    static const int phrase[6] = {1, 2, 3, 4, 6, GUIDE_DOG};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            if (phrase[i] == y && phrase[j] == x)
                return between[i][j];
    return -1;
}

/* Words 1..4 of the abstracts are in WordNet, and no longer phrase of them. */
double near_sum(int y, double eta, bool mean) {
    double sum = 0, all = 0;
    for (int x = 1; x <= 4; x++) {
        if (edges(y, x) < 0)
            continue;
        sum += exp(-eta * edges(y, x));
        all += exp(-eta * edges(y, x)) * edges(y, x);
    }
    return mean ? all / sum : sum;
}

static bool below(const int *heads, int w, int above) {
    for (; w > 0; w = heads[w - 1])
        if (w == above)
            return true;
    return false;
}

int node_of(int pair, int b, int e) {
    int from = b, to = texts[pair].stop[b - 1];
    while (from > 1 && texts[pair].stop[from - 2] == to)
        from--;
    if (b == from && e == to)
        return LABELS - 1;
    if (b == e)
        return texts[pair].tag[b - 1][0] == 'N' ? 0 : texts[pair].tag[b - 1][0] == 'V' ? 1 : 2;
    for (int w = from; w <= to; w++) {
        const int *heads = texts[pair].head + from - 1;
        bool all = e <= to;
        for (int v = from; v <= to; v++)
            all &= below(heads, v - from + 1, w - from + 1) == (b <= v && v <= e);
        for (int l = 3; l < LABELS && all; l++)
            if (strncmp(labels[l] + 1, texts[pair].relation[w - 1], 3) == 0)
                return l;
    }
    return -1;
}

int cover(int pair, int b, int e, int ret[LONG]) {
    int fewest = 0;
    if (b > e)
        return 0;
    for (int end = b; end <= e; end++) {
        int others[LONG], label = node_of(pair, b, end);
        int more = label >= 0 ? cover(pair, end + 1, e, others) : LONG;
        if (label < 0 || (fewest > 0 && more + 1 >= fewest))
            continue;
        ret[0] = label;
        memcpy(ret + 1, others, (size_t)more * sizeof *others);
        fewest = more + 1;
    }
    return fewest;
}
