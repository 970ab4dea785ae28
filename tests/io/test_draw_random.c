/* test_draw_random.c - do random drawings have one reading, and is the layout the one defined?
 *
 * Arcs as text are read back from the picture.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "io/draw/draw_layout.h"
#include "tests/support/random.h"

/* Everything drawn here is one column a character; no locale is needed to know it. */
static const tz_style style = {.width = 120, .proof = TZ_PROOF_TREE};

/* ---- Reading pictures ---------------------------------------------------------------------- */

enum { ROWS = 256, COLUMNS = 1024 };
struct picture {
    uint32_t cell[ROWS][COLUMNS]; /* row 0 is the lowest, the words */
    int rows;
};

static void scan_picture(const char *text, struct picture *picture) {
    memset(picture, 0, sizeof *picture);
    for (const char *at = text; *at; at++)
        picture->rows += *at == '\n';
    assert_true(picture->rows <= ROWS);
    int row = picture->rows - 1, column = 0;
    uint32_t code;
    for (unsigned used; (used = tz_utf8_decode(text, strlen(text), &code)) > 0; text += used) {
        if (code == '\n') {
            row--;
            column = 0;
        } else {
            assert_true(column < COLUMNS);
            picture->cell[row][column++] = code;
        }
    }
}

/* The word nearest to a column; ROOT is 0. */
static int word_at(const struct picture *picture, int column) {
    for (int distance = 0; distance < 4; distance++) {
        for (int side = -1; side <= 1; side += 2) {
            int at = column + side * distance;
            if (at < 0 || at >= COLUMNS || !picture->cell[0][at] || picture->cell[0][at] == ' ')
                continue;
            while (at > 0 && isalnum((int)picture->cell[0][at - 1]))
                at--;
            int word = 0;
            for (; picture->cell[0][at] >= '0' && picture->cell[0][at] <= '9'; at++)
                word = 10 * word + (int)picture->cell[0][at] - '0';
            return word;
        }
    }
    fail_msg("column %d belongs to no word", column);
    return -1;
}

/* Along a comb to its end on one side. */
static int comb_end(const struct picture *picture, int row, int column, int side, uint32_t corner) {
    for (;;) {
        column += side;
        uint32_t code = column < 0 || column >= COLUMNS ? 0 : picture->cell[row][column];
        if (code == corner)
            return column;
        /* A vertical line that crosses is drawn through. */
        assert_true(code == L'─' || code == L'│' || code == L'┬');
    }
}

/* The head of the word whose arrow head is in this column. */
static int read_head(const struct picture *picture, int column) {
    int row = 2;
    while (picture->cell[row][column] == L'│') {
        row++;
        assert_true(row < picture->rows);
    }
    uint32_t code = picture->cell[row][column];
    assert_true(code == L'┐' || code == L'┌' || code == L'┬');
    int left = code == L'┌' ? column : comb_end(picture, row, column, -1, L'┌');
    int right = code == L'┐' ? column : comb_end(picture, row, column, 1, L'┐');
    /* One end is the head's: no arrow head stands there. */
    bool head_left = picture->cell[1][left] == L'│';
    assert_true(head_left != (picture->cell[1][right] == L'│'));
    return word_at(picture, head_left ? left : right);
}

/* A random tree, projective or not: every word but the first hangs on an earlier one of a random
 * order, for a projective tree on one of the ends of what hangs together so far. */
static void random_tree(random_state *random, int n, bool projective, int *head) {
    int low = 1 + (int)random_below(random, (uint64_t)n), high = low;
    head[low] = 0;
    if (!projective) {
        int order[COLUMNS];
        for (int i = 0; i < n; i++)
            order[i] = i + 1;
        for (int i = n - 1; i > 0; i--) {
            int j = (int)random_below(random, (uint64_t)i + 1), other = order[i];
            order[i] = order[j];
            order[j] = other;
        }
        for (int i = 0; i < n; i++)
            head[order[i]] = i > 0 ? order[random_below(random, (uint64_t)i)] : 0;
        return;
    }
    while (low > 1 || high < n) {
        /* Words seen from outside: those on the way from an end up to the root. */
        bool left = high == n || (low > 1 && random_below(random, 2));
        int at = left ? low : high;
        while (head[at] != 0 && random_below(random, 2)) {
            bool outwards = left ? head[at] > at : head[at] < at;
            if (!outwards)
                break;
            at = head[at];
        }
        if (left)
            head[--low] = at;
        else
            head[++high] = at;
    }
}

TEST(pictures_have_one_reading) {
    static struct picture picture;
    random_state random = random_start("pictures");
    for (int t = 0; t < 2000; t++) {
        int n = 1 + (int)random_below(&random, 30), head[COLUMNS];
        bool projective = t % 2 == 0;
        random_tree(&random, n, projective, head);
        char name[COLUMNS][16];
        const char *word[COLUMNS] = {"ROOT"};
        bool skipped[COLUMNS] = {false};
        tz_arc arc[COLUMNS];
        for (int w = 1; w <= n; w++) {
            snprintf(name[w], sizeof name[w], "%d", w);
            word[w] = name[w];
            arc[w - 1] = (tz_arc){head[w], w, "", false};
        }
        word[n + 1] = "END";
        tz_diagram diagram = {n, word, skipped, (size_t)n, arc, 0, NULL};
        tz_drawing drawing = {.caption = "", .diagram = &diagram};
        OWNED(tz_text, out) = {0};
        assert_ok(tz_draw_text(&drawing, &style, &out));
        tz_text_add(&out, "", 1);
        scan_picture(out.data, &picture);

        int arrows = 0;
        for (int column = 0; column < COLUMNS; column++) {
            if (picture.cell[1][column] == L'▼') {
                arrows++;
                assert_int_equal(word_at(&picture, column), arrows);
                assert_int_equal(read_head(&picture, column), head[arrows]);
            }
        }
        assert_int_equal(arrows, n);
        /* Lines of a projective tree do not cross: beside a vertical line, none ends in it. */
        for (int row = 2; projective && row < picture.rows; row++) {
            for (int column = 1; column < COLUMNS; column++) {
                bool crossing =
                    picture.cell[row][column] == L'│' && (picture.cell[row][column - 1] == L'─' ||
                                                          picture.cell[row][column - 1] == L'┌' ||
                                                          picture.cell[row][column - 1] == L'┬');
                assert_false(crossing);
            }
        }
    }
}

/* ---- Proof trees -------------------------------------------------------------------------- */

/* Random proof trees: the lines of a row do not overlap, whatever moves where. */
TEST(random_proofs) {
    random_state random = random_start("proofs");
    for (int t = 0; t < 500; t++) {
        enum { NODES = 40 };
        tz_proof_node node[NODES];
        char item[NODES][16], rule[NODES][16];
        size_t open[NODES + 1], depth = 0, nodes = 0;
        /* In preorder: each open node still expects some premises. */
        do {
            size_t wanted = depth >= 8 || nodes > NODES - 12 ? 0 : random_below(&random, 4);
            snprintf(item[nodes], sizeof item[0], "i%.*s", (int)random_below(&random, 9),
                     "=========");
            snprintf(rule[nodes], sizeof rule[0], "r%.*s", (int)random_below(&random, 9),
                     "+++++++++");
            node[nodes] = (tz_proof_node){item[nodes], rule[nodes], 0};
            if (depth > 0)
                open[depth - 1]--;
            node[nodes].premises = wanted;
            nodes++;
            open[depth++] = wanted;
            while (depth > 0 && open[depth - 1] == 0)
                depth--;
        } while (depth > 0 && nodes < NODES);
        if (depth > 0)
            continue;
        tz_proof proof = {nodes, node};
        tz_drawing drawing = {.caption = "", .proof = &proof};
        OWNED(tz_text, out) = {0};
        assert_ok(tz_draw_text(&drawing, &style, &out));
        tz_text_add(&out, "", 1);
        /* Rows come in pairs, bars then conclusions; every conclusion lies under its own bar, every
         * bar is followed by a rule, and nothing is lost. */
        size_t bars = 0, items = 0, rules = 0;
        char *line = out.data;
        while (*line) {
            unsigned char under[4096] = {0};
            size_t column = 0;
            for (; *line != '\n'; column++) {
                bool bar = strncmp(line, "─", 3) == 0;
                assert_true(column < sizeof under);
                bool starts = column == 0 || !under[column - 1];
                under[column] = bar;
                bars += bar && starts;
                rules += *line == 'r';
                assert_false(*line == 'r' && (column < 2 || !under[column - 2]));
                line += bar ? 3 : 1;
            }
            line++;
            for (column = 0; *line != '\n'; column++, line++) {
                items += *line == 'i';
                assert_true(*line == ' ' || under[column]);
            }
            line++;
        }
        assert_int_equal(bars, nodes);
        assert_int_equal(rules, nodes);
        assert_int_equal(items, nodes);
    }
}

/* ---- Levels -------------------------------------------------------------------------------- */

/* Against the definition: bows by length, each one above the highest that it overlaps. */
TEST(levels) {
    random_state random = random_start("levels");
    for (int t = 0; t < 500; t++) {
        enum { BOWS = 40 };
        tz_bow bow[BOWS];
        size_t ports = 2 + random_below(&random, 60), bows = random_below(&random, BOWS + 1);
        for (size_t b = 0; b < bows; b++) {
            bow[b].low = random_below(&random, ports - 1);
            bow[b].high = bow[b].low + 1 + random_below(&random, ports - 1 - bow[b].low);
        }
        OWN(tz_arena, arena) = tz_arena_new();
        int32_t highest, level[BOWS] = {0}, most = 0;
        assert_ok(tz_bow_levels(arena, ports, bows, bow, &highest));
        for (size_t done = 0; done < bows; done++) {
            size_t next = bows;
            for (size_t b = 0; b < bows; b++) { /* the shortest, then leftmost one left */
                size_t span = bow[b].high - bow[b].low;
                if (level[b] == 0 &&
                    (next == bows || span < bow[next].high - bow[next].low ||
                     (span == bow[next].high - bow[next].low && bow[b].low < bow[next].low)))
                    next = b;
            }
            int32_t above = 0;
            for (size_t b = 0; b < bows; b++) {
                bool overlap = bow[b].low <= bow[next].high && bow[next].low <= bow[b].high;
                above = overlap && level[b] > above ? level[b] : above;
            }
            level[next] = above + 1;
            most = level[next] > most ? level[next] : most;
        }
        for (size_t b = 0; b < bows; b++)
            assert_int_equal(bow[b].level, level[b]);
        assert_int_equal(highest, most);
    }
}
