/* bad_lines.h - a rule set with every kind of weight, and lines that are no problems of it, each
 * with part of the message it is to get. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_BAD_LINES_H
#define TZ_TESTS_SUPPORT_BAD_LINES_H

/* arc is dense; shift starts below 0; bias has no index; binary is sparse; cube has three. */
static const char kinds_rules[] =
    "rules   kinds\nstructures derivations\n"
    "length  n, T\n"
    "weight  arc[h,m]      0 <= h <= n, 1 <= m <= n, h != m\n"
    "weight  shift[d]      -1 <= d <= 1\n"
    "weight  bias\n"
    "weight  binary[a,b]   sparse 1 <= a <= T, 1 <= b <= T\n"
    "weight  cube[i,j,k]   0 <= i <= 1, 0 <= j <= 1, 0 <= k <= 2\n"
    "item    x[j]          0 <= j <= n\n"
    "goal    x[n]\n"
    "\n"
    "    axiom\n"
    "    ---------- start  * bias * cube[0,1,2]\n"
    "    x[0]\n"
    "\n"
    "    x[i]\n"
    "    ---------- step   * arc[i,j] * shift[0] * binary[_,_]  if j = i+1\n"
    "    x[j]\n";

#define LENGTHS "\"n\":2,\"T\":2"
#define ARC     "\"arc\":[[null,1,2],[0,0,3],[0,4,0]]"
#define SHIFT   "\"shift\":[-1,0.5,1]"
#define BIAS    "\"bias\":0.25"
#define BINARY  "\"binary\":[[1,2,-0.5],[2,1,null]]"
#define CUBE    "\"cube\":[[[1,2,3],[4,5,6]],[[7,8,9],[10,11,12]]]"

/* All weights but the one under test. */
#define NOT_ARC    LENGTHS "," SHIFT "," BIAS "," BINARY "," CUBE
#define NOT_SHIFT  LENGTHS "," ARC "," BIAS "," BINARY "," CUBE
#define NOT_BIAS   LENGTHS "," ARC "," SHIFT "," BINARY "," CUBE
#define NOT_BINARY LENGTHS "," ARC "," SHIFT "," BIAS "," CUBE
#define NOT_CUBE   LENGTHS "," ARC "," SHIFT "," BIAS "," BINARY
#define WEIGHTS    ARC "," SHIFT "," BIAS "," BINARY "," CUBE

#define GOOD_LINE "{" LENGTHS "," WEIGHTS "}"

typedef struct bad_line {
    const char *line, *message;
} bad_line;

static const bad_line bad_lines[] = {
    /* misspelt keys */
    {"{\"forbids\":[]," LENGTHS "," WEIGHTS "}", "forbids: no key of a problem; did you mean "
                                                 "\"forbid\"?"},
    {"{\"requries\":[]," LENGTHS "," WEIGHTS "}", "did you mean \"require\"?"},
    {"{\"arcs\":[]," LENGTHS "," WEIGHTS "}", "arcs: no key of a problem; did you mean \"arc\"?"},
    {"{" LENGTHS "," WEIGHTS ",\"Words\":[]}", "did you mean \"words\"?"},
    {"{" LENGTHS "," WEIGHTS ",\"bianry\":[]}", "did you mean \"binary\"?"},
    /* not JSON */
    {"{", "column 1: the line ends inside a value: write the whole of it on one line"},
    {"hello", "column 5: invalid token near 'hello'"},
    {"{n:2}", "column 2: string or '}' expected near 'n'"},
    {"{\"n\" 2}", "column 6: ':' expected near '2'"},
    {"{\"n\":2 \"T\":1}", "column 10: '}' expected near '\"T\"'"},
    {"{\"n\":2,}", "column 8: string or '}' expected near '}'"},
    {"{\"n\":2", "column 6: the line ends inside a value: write the whole of it on one line"},
    {GOOD_LINE " x", "expected the end of the line after the value"},
    {GOOD_LINE GOOD_LINE, "expected the end of the line after the value"},
    {"{\"id\":'a'," LENGTHS "," WEIGHTS "}", "column 7: invalid token near '''"},
    {"{\"id\":\"a", "column 8: the line ends inside a value: write the whole of it on one line"},
    {"{\"id\":\"\\x\"}", "invalid escape"},
    {"{\"id\":\"\\u12g4\"}", "invalid escape"},
    {"{\"id\":\"\\ud800\"}", "invalid Unicode '\\uD800'"},
    {"{\"id\":\"\\u0000\"}", "a string cannot hold \\u0000"},
    {"{\"id\":\"\t\"}", "control character 0x9"},
    {"{\"id\":\x1b}", "invalid token near '?'"},
    {"{\"id\":\"\xc3(\"}", "not UTF-8"},
    {"{\"id\":\"\xed\xa0\x80\"}", "not UTF-8"},
    {"{\"bias\":01}", "column 9: invalid token near '0'"},
    {"{\"bias\":+1}", "column 9: invalid token near '+'"},
    {"{\"bias\":.5}", "column 9: invalid token near '.'"},
    {"{\"bias\":1.}", "column 10: invalid token near '1.'"},
    {"{\"bias\":1e}", "column 10: invalid token near '1e'"},
    {"{\"bias\":0x10}", "column 10: '}' expected near 'x'"},
    {"{\"bias\":NaN}",
     "near 'NaN'; JSON has no NaN or Infinity: write an impossible score as null"},
    {"{\"bias\":-Infinity}", "near '-'; JSON has no NaN or Infinity: write an impossible score"},
    {"{\"bias\":1e999}",
     "column 13: real number overflow near '1e999'; whole numbers have 64 bits"},
    {"{\"arc\":[[0,1,2],[0,-1e400", "real number overflow near '-1e400'; "},
    {"{\"bias\":9223372036854775808}", "too big integer near '9223372036854775808'; "},
    {"{\"arc\":[[1,2],[3,4]",
     "column 19: the line ends inside a value: write the whole of it on one line"},

    /* not an object, repeated keys */
    {"[1,2]", "expected an object {\"n\": 4, ...}, not an array"},
    {"42", "expected an object {\"n\": 4, ...}, not a number"},
    {"{\"n\":1,\"n\":2}", "column 10: duplicate object key near '\"n\"'"},
    {"{\"x\":1,\"\\u0078\":2}", "duplicate object key"},
    {"{\"x\":{\"y\":1,\"y\":2}}", "duplicate object key"},

    /* lengths */
    {"{\"T\":2," WEIGHTS "}", "n: missing; give \"n\" as an integer >= 0"},
    {"{\"n\":2," WEIGHTS "}", "T: missing; give \"T\" as an integer >= 0"},
    {"{\"n\":\"2\"}", "n: expected an integer >= 0, not a string"},
    {"{\"n\":null}", "n: expected an integer >= 0, not null"},
    {"{\"n\":2.5}", "n: expected an integer >= 0, not 2.5"},
    {"{\"n\":-1}", "n: expected an integer >= 0, not -1"},
    {"{\"n\":3000000000}", "n: 3000000000 is too large; the largest is 1048576"},
    {"{\"n\":1000000,\"T\":2," WEIGHTS "}",
     "arc: 3 entries for h, but n = 1000000, T = 2 needs 1000001 (h from 0 to 1000000)"},

    /* dense weights */
    {"{" NOT_ARC "}", "arc: missing; give \"arc\" as an array of 3 x 3 numbers"},
    {"{" NOT_SHIFT "}", "shift: missing; give \"shift\" as an array of 3 numbers"},
    {"{" NOT_BIAS "}", "bias: missing; give \"bias\" as a number, or null"},
    {"{" NOT_ARC ",\"arc\":7}", "arc: expected an array, not a number"},
    {"{" NOT_ARC ",\"arc\":null}", "arc: expected an array, not null"},
    {"{" NOT_ARC ",\"arc\":{}}", "arc: expected an array, not an object"},
    {"{" NOT_ARC ",\"arc\":[0,1,2]}", "arc[0]: expected an array, not a number"},
    {"{" NOT_ARC ",\"arc\":[[0,1,[2]]]}",
     "arc[0][2]: expected a number, or null for an impossible score, not an array"},
    {"{" NOT_ARC ",\"arc\":[[0,1,2],[3,\"4\",5]]}", "arc[1][1]: expected a number, or null"},
    {"{" NOT_ARC ",\"arc\":[[0,1,2],[3,true,5]]}", "arc[1][1]: expected a number, or null"},
    {"{" NOT_ARC ",\"arc\":[[0,1,2],[3,4],[5,6,7]]}",
     "arc[1]: row has 2 entries, the first has 3; make them equally long"},
    {"{" NOT_ARC ",\"arc\":[[],[1]]}", "arc[1]: row has 1 entry, the first has 0"},
    {"{" NOT_ARC ",\"arc\":[[0,1,2],[3,4,5]]}",
     "arc: 2 entries for h, but n = 2, T = 2 needs 3 (h from 0 to 2)"},
    {"{" NOT_ARC ",\"arc\":[[0,1],[2,3],[4,5]]}",
     "arc: 2 entries for m, but n = 2, T = 2 needs 3 (m from 0 to 2)"},
    {"{" NOT_ARC ",\"arc\":[]}", "arc: 0 entries for h"},
    {"{" NOT_SHIFT ",\"shift\":[1,2]}",
     "shift: 2 entries for d, but n = 2, T = 2 needs 3 (d from -1 to 1)"},
    {"{" NOT_BIAS ",\"bias\":[1]}", "bias: expected a number, or null for an impossible score"},
    {"{" NOT_CUBE ",\"cube\":[[[1,2,3],[4,5,6]],[[7,8,9],[10,11]]]}",
     "cube[1][1]: row has 2 entries, the first has 3"},

    /* sparse weights */
    {"{" NOT_BINARY "}", "binary: missing; give \"binary\" as a list of entries [2 index values, "},
    {"{" NOT_BINARY ",\"binary\":{}}", "binary: expected a list of entries, not an object"},
    {"{" NOT_BINARY ",\"binary\":[1,2,3]}",
     "binary[0]: expected an entry [2 index values, score], not a number"},
    {"{" NOT_BINARY ",\"binary\":[[1,2,0],[1,2]]}", "binary[1]: 2 values; expected an entry"},
    {"{" NOT_BINARY ",\"binary\":[[1,2,0,5]]}", "binary[0]: 4 values; expected an entry"},
    {"{" NOT_BINARY ",\"binary\":[[1,1.5,0]]}", "binary[0][1]: expected an index, an integer, not"},
    {"{" NOT_BINARY ",\"binary\":[[1,null,0]]}",
     "binary[0][1]: expected an index, an integer, not"},
    {"{" NOT_BINARY ",\"binary\":[[1,3000000000,0]]}", "binary[0][1]: 3000000000 is too large"},
    {"{" NOT_BINARY ",\"binary\":[[1,2,\"x\"]]}", "binary[0][2]: expected a number, or null"},

    /* words */
    {"{" LENGTHS "," WEIGHTS ",\"words\":\"a b\"}", "words: expected an array of strings"},
    {"{" LENGTHS "," WEIGHTS ",\"words\":[\"a\",2]}", "words[1]: expected a string, not a number"},
    {"{" LENGTHS "," WEIGHTS ",\"words\":[\"a\"]}", "words: 1 word, but n = 2"},
};

enum { BAD_LINES = sizeof bad_lines / sizeof *bad_lines };

#endif
