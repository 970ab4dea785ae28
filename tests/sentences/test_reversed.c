/* test_reversed.c - does the English model, under its guards, leave what a sentence denies or makes
 * depend on something as it is? Sentences with negations, doubts, failures and conditions, and what
 * of each must still be there. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/shell.h"

/* A sentence, and one or two pieces of it. */
static const char *const sentences[][3] = {
    {"Police said there was no evidence that the suspect was armed.", "no evidence"},
    {"The mayor denied that he had taken money from the builder.", "enied"},
    {"The plant will close next year unless emissions are cut by half.", "unless", "cut"},
    {"The company did not say when the new factory would open.", "not say"},
    {"Doctors doubt that the drug helps patients over 70.", "oubt"},
    {"The council never approved the plan to sell the stadium.", "never"},
    {"If the talks fail, the pilots will go on strike on Friday.", "If", "fail"},
    {"The minister said the tax would not rise before the election.", "not rise"},
    {"Scientists have found no link between the vaccine and the disease.", "no link"},
    {"The team failed to reach the final for the third year in a row.", "failed"},
    {"The bank said it was not true that it had lost customer data.", "ot true"},
    {"Neither driver was hurt in the crash on the ring road on Monday.", "Neither"},
    {"The court rejected the claim that the firm had broken the law.", "ejected"},
    {"The bridge cannot be opened to traffic until the cables are replaced.", "not", "until"},
    {"Nobody was injured when the roof of the theatre collapsed on Sunday.", "Nobody"},
    {"The airline refused to pay passengers whose flights were cancelled.", "refused"},
    {"The singer said she had no plans to leave the band.", "no plans"},
    {"The museum will not charge visitors if the state pays for the repairs.", "not charge", "if"},
    {"Without a new loan, the club will be bankrupt by June, its chairman said.", "Without"},
    {"The study does not show that coffee prevents heart disease.", "oes not"},
    {"The president hardly mentioned the war in his speech on Tuesday.", "hardly"},
    {"It is unlikely that the missing climbers are still alive, rescuers said.", "nlikely"},
    {"The school will stay open provided that enough teachers can be found.", "provided", "found"},
    {"The union said its members would not return to work unless wages rose.", "not return",
     "unless"},
    {"The farmer was not fined although he had ignored two warnings.", "not fined"},
    {"Experts question whether the new dam can withstand a major flood.", "uestion"},
    {"The goalkeeper said he did not want to play for another club.", "not want"},
    {"The report found nothing that suggested the pilot was at fault.", "nothing"},
    {"The city has not decided whether the market will be moved.", "not decided"},
    {"The actor said that he was neither ill nor tired.", "neither"},
    {"Police have ruled out that the fire was started on purpose.", "ruled out"},
    {"Investigators have excluded that the pilot was drunk.", "excluded"},
    {"The man allegedly sold stolen cars to a dealer in Dover.", "allegedly"},
    {"Failure to follow these instructions may result in serious injury or death.", "Failure"},
    {"The minister falsely claimed that the hospital had been closed.", "alsely claimed"},
    {"The shop will stay open as long as there are enough customers.", "as long as"},
    {"The paper wrongly reported that the actor had died.", "rongly reported"},
    {"There are rumours that the club will sell its captain.", "umours"},
    {"Scientists have disproved the theory that the comet killed the birds.", "disproved"},
    {"The alleged thief was arrested in Dover on Monday.", "alleged"},
    {"A lack of rain has destroyed the harvest in the north of the country.", "lack of rain"},
    {"Drivers may overtake only if the road ahead is clear.", "only if", "clear"},
    {"Fewer than 20 people attended the meeting on Monday.", "Fewer than 20"},
    {"The company neglected to tell its customers about the leak.", "neglected"},
};
enum { SENTENCES = sizeof sentences / sizeof *sentences };

/* `options`: of compress. */
static void check(const char *options) {
    char text[16384] = "", line[512];
    for (size_t s = 0; s < SENTENCES; s++) {
        strcat(text, sentences[s][0]);
        strcat(text, "\n");
    }
    write_file("in.txt", text);
    shell("trapeze compress -m %s/models/english.model %s in.txt", TZ_SOURCE_ROOT, options);
    assert_int_equal(code, 0);
    const char *at = out;
    for (size_t s = 0; s < SENTENCES; s++) {
        size_t size = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)size, at);
        for (size_t piece = 1; piece < 3; piece++)
            if (sentences[s][piece] && !strstr(line, sentences[s][piece]))
                fail_msg("%s\nbecame %s", sentences[s][0], line);
        at += size + 1;
    }
}

static void test_any_length(void **state) {
    (void)state;
    check("");
    check("--decode marginal");
}

static void test_given_length(void **state) {
    (void)state;
    check("--rate 0.7");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_length),
                                       cmocka_unit_test(test_given_length)};
    return cmocka_run_group_tests(tests, shell_setup, shell_teardown);
}
