/* words.c - words that the sense of others hangs on, by class. Made by scripts/guard-words from
 * words.txt, which is the file to change. SPDX-License-Identifier: MIT */
#include "sentences/guards/table.h"

/* clang-format off */
const tz_guard_class tz_guard_words[] = {
    /* verb: Kiparsky and Kiparsky 1970, Hooper 1975: of what is not asserted, or denied */
    {TZ_IS_DOUBT, false,
     "deny denies denied denying doubt doubts doubted doubting dispute disputes disputed "
     "disputing refute refutes refuted refuting reject rejects rejected rejecting question "
     "questions questioned questioning dismiss dismisses dismissed dismissing rebut rebuts "
     "rebutted rebutting contradict contradicts contradicted contradicting contest contests "
     "contested contesting challenge challenges challenged challenging disavow disavows "
     "disavowed disavowing repudiate repudiates repudiated repudiating disclaim disclaims "
     "disclaimed disclaiming disown disowns disowned disowning gainsay gainsays gainsaid "
     "gainsaying negate negates negated negating disbelieve disbelieves disbelieved disbelieving "
     "distrust distrusts distrusted distrusting mistrust mistrusts mistrusted mistrusting "
     "disprove disproves disproved disproving debunk debunks debunked debunking discredit "
     "discredits discredited discrediting invalidate invalidates invalidated invalidating "
     "falsify falsifies falsified falsifying query queries queried querying disagree disagrees "
     "disagreed disagreeing dissent dissents dissented dissenting rule_out rules_out ruled_out "
     "ruling_out exclude excludes excluded excluding discount discounts discounted discounting "
     "deride derides derided deriding ridicule ridicules ridiculed ridiculing pretend pretends "
     "pretended pretending feign feigns feigned feigning fabricate fabricates fabricated "
     "fabricating bluff bluffs bluffed bluffing recant recants recanted recanting retract "
     "retracts retracted retracting acquit acquits acquitted acquitting exonerate exonerates "
     "exonerated exonerating absolve absolves absolved absolving "},
    /* verb: neighbours in WordNet */
    {TZ_IS_DOUBT, false,
     "oppugn oppugns oppugned oppugning call_into_question calls_into_question "
     "called_into_question calling_into_question brush_aside brushes_aside brushed_aside "
     "brushing_aside brush_off brushes_off brushed_off brushing_off belie belies belied belying "
     "repugn repugns repugned repugning disinherit disinherits disinherited disinheriting "
     "confute confutes confuted confuting annul annuls annulled annulling annuled annuling void "
     "voids voided voiding nullify nullifies nullified nullifying distort distorts distorted "
     "distorting garble garbles garbled garbling take_issue takes_issue taken_issue took_issue "
     "taking_issue close_out closes_out closed_out closing_out laugh_at laughs_at laughed_at "
     "laughing_at jest_at jests_at jested_at jesting_at make_fun makes_fun made_fun making_fun "
     "poke_fun pokes_fun poked_fun poking_fun dissemble dissembles dissembled dissembling "
     "bluff_out bluffs_out bluffed_out bluffing_out abjure abjures abjured abjuring forswear "
     "forswears forswore forsworn forswearing assoil assoils assoiled assoiling exculpate "
     "exculpates exculpated exculpating shrive shrives shriven shrove shriving "},
    /* verb: Karttunen 1971, 2012, Nairn, Condoravdi and Karttunen 2006: negative implicatives */
    {TZ_IS_DOUBT, false,
     "fail fails failed failing neglect neglects neglected neglecting forget forgets forgot "
     "forgotten forgetting decline declines declined declining refuse refuses refused refusing "
     "avoid avoids avoided avoiding refrain refrains refrained refraining omit omits omitted "
     "omitting abstain abstains abstained abstaining hesitate hesitates hesitated hesitating "
     "shirk shirks shirked shirking desist desists desisted desisting forgo forgos forgone "
     "forwent forgoing forego foregos foregone forewent foregoing skip skips skipped skipping "
     "miss misses missed missing escape escapes escaped escaping evade evades evaded evading "
     "eschew eschews eschewed eschewing shun shuns shunned shunning balk balks balked balking "
     "baulk baulks baulked baulking lack lacks lacked lacking cease ceases ceased ceasing stop "
     "stops stopped stopping quit quits quitted quitting discontinue discontinues discontinued "
     "discontinuing give_up gives_up gave_up given_up giving_up scrap scraps scrapped scrapping "
     "cancel cancels cancelled cancelling canceled canceling abandon abandons abandoned "
     "abandoning shelve shelves shelved shelving call_off calls_off called_off calling_off "
     "withdraw withdraws withdrawn withdrew withdrawing rescind rescinds rescinded rescinding "
     "revoke revokes revoked revoking suspend suspends suspended suspending postpone postpones "
     "postponed postponing delay delays delayed delaying overturn overturns overturned "
     "overturning quash quashes quashed quashing throw_out throws_out threw_out thrown_out "
     "throwing_out strike_down strikes_down struck_down striking_down set_aside sets_aside "
     "seted_aside setting_aside put_off puts_off puted_off putting_off back_out backs_out "
     "backed_out backing_out back_away backs_away backed_away backing_away hold_off holds_off "
     "held_off holding_off stop_short stops_short stopped_short stopping_short fall_short "
     "falls_short fallen_short fell_short falling_short falled_short turn_down turns_down "
     "turned_down turning_down pass_up passes_up passed_up passing_up waste wastes wasted "
     "wasting "},
    /* verb: neighbours in WordNet */
    {TZ_IS_DOUBT, false,
     "annul annuls annulled annulling annuled annuling void voids voided voiding nullify "
     "nullifies nullified nullifying waver wavers wavered wavering shrink_from shrinks_from "
     "shrank_from shrunk_from shrunken_from shrinking_from waive waives waived waiving foreswear "
     "foreswears foresweared foreswearing forfeit forfeits forfeited forfeiting throw_overboard "
     "throws_overboard threw_overboard thrown_overboard throwing_overboard pass_over passes_over "
     "passed_over passing_over skip_over skips_over skipped_over skipping_over get_away "
     "gets_away got_away gotten_away getting_away hedge hedges hedged hedging skirt skirts "
     "skirted skirting sidestep sidesteps sidestepped sidestepping jib jibs jibbed jibbing end "
     "ends ended ending drop_out drops_out dropped_out dropping_out fall_by_the_wayside "
     "falls_by_the_wayside fallen_by_the_wayside fell_by_the_wayside falling_by_the_wayside "
     "falled_by_the_wayside drop_by_the_wayside drops_by_the_wayside dropped_by_the_wayside "
     "dropping_by_the_wayside throw_in_the_towel throws_in_the_towel threw_in_the_towel "
     "thrown_in_the_towel throwing_in_the_towel chuck_up_the_sponge chucks_up_the_sponge "
     "chucked_up_the_sponge chucking_up_the_sponge prorogue prorogues prorogued proroguing "
     "set_back sets_back seted_back setting_back defer defers deferred deferring pull_away "
     "pulls_away pulled_away pulling_away draw_back draws_back drawn_back drew_back drawing_back "
     "pull_back pulls_back pulled_back pulling_back move_back moves_back moved_back moving_back "
     "crawfish crawfishes crawfished crawfishing crawfish_out crawfishes_out crawfished_out "
     "crawfishing_out pull_in_one's_horns pulls_in_one's_horns pulled_in_one's_horns "
     "pulling_in_one's_horns countermand countermands countermanded countermanding repeal "
     "repeals repealed repealing repress represses repressed repressing subdue subdues subdued "
     "subduing subjugate subjugates subjugated subjugating expel expels expelled expelling "
     "expeled expeling kick_out kicks_out kicked_out kicking_out appropriate appropriates "
     "appropriated appropriating earmark earmarks earmarked earmarking come_short comes_short "
     "came_short coming_short squander squanders squandered squandering "},
    /* verb: Karttunen 1971, 2012: to bring about that something is not so */
    {TZ_IS_DOUBT, false,
     "prevent prevents prevented preventing prohibit prohibits prohibited prohibiting forbid "
     "forbids forbad forbade forbidden forbidding ban bans banned banning bar bars barred "
     "barring block blocks blocked blocking deter deters deterred deterring discourage "
     "discourages discouraged discouraging dissuade dissuades dissuaded dissuading preclude "
     "precludes precluded precluding inhibit inhibits inhibited inhibiting hinder hinders "
     "hindered hindering impede impedes impeded impeding thwart thwarts thwarted thwarting foil "
     "foils foiled foiling avert averts averted averting obstruct obstructs obstructed "
     "obstructing restrain restrains restrained restraining disallow disallows disallowed "
     "disallowing disqualify disqualifies disqualified disqualifying veto vetos vetoed vetoing "
     "debar debars debarred debarring outlaw outlaws outlawed outlawing resist resists resisted "
     "resisting oppose opposes opposed opposing talk_out talks_out talked_out talking_out "},
    /* verb: neighbours in WordNet */
    {TZ_IS_DOUBT, false,
     "forestall forestalls forestalled forestalling foreclose forecloses foreclosed foreclosing "
     "proscribe proscribes proscribed proscribing nix nixes nixed nixing barricade barricades "
     "barricaded barricading block_up blocks_up blocked_up blocking_up blockade blockades "
     "blockaded blockading stymie stymies stymied stymying stymy obturate obturates obturated "
     "obturating occlude occludes occluded occluding suppress suppresses suppressed suppressing "
     "stamp_down stamps_down stamped_down stamping_down scotch scotches scotched scotching "
     "frustrate frustrates frustrated frustrating forefend forefends forefended forefending "
     "forfend forfends forfended forfending head_off heads_off headed_off heading_off stave_off "
     "staves_off stove_off staving_off fend_off fends_off fended_off fending_off ward_off "
     "wards_off warded_off warding_off keep_back keeps_back kept_back keeping_back unfit unfits "
     "unfitted unfitting criminalise criminalises criminalised criminalising illegalize "
     "illegalizes illegalized illegalizing illegalise illegalises illegalised illegalising "},
    /* adjective: Hooper 1975, Karttunen 1971 */
    {TZ_IS_DOUBT, false,
     "false untrue unlikely unclear uncertain unsure doubtful impossible unable improbable "
     "implausible unproven unconfirmed inconceivable incorrect wrong mistaken unfounded baseless "
     "sceptical skeptical dubious unwilling reluctant loath powerless helpless incapable "
     "ineligible hesitant unthinkable unimaginable groundless fictitious bogus untruthful "
     "fallacious erroneous inaccurate debatable questionable unconvinced unpersuaded undecided "},
    /* adjective: neighbours in WordNet */
    {TZ_IS_DOUBT, false,
     "assumed fictive pretended incertain dubitable in_question out_of_the_question unproved "
     "doubting disbelieving loth hesitating fabricated fancied "},
    /* noun: Hooper 1975: what was denied, or is only said */
    {TZ_IS_DOUBT, false,
     "denial denials doubt doubts untruth untruths myth myths hoax hoaxes lie lies falsehood "
     "falsehoods fallacy fallacies fiction fictions fabrication fabrications misconception "
     "misconceptions delusion delusions illusion illusions pretence pretences pretense pretenses "
     "rebuttal rebuttals refutation refutations rejection rejections scepticism scepticisms "
     "skepticism skepticisms disbelief disbeliefs improbability improbabilities impossibility "
     "impossibilities fantasy fantasies rumour rumours rumor rumors speculation speculations "
     "allegation allegations accusation accusations suspicion suspicions mistake mistakes "
     "exaggeration exaggerations "},
    /* noun: neighbours in WordNet */
    {TZ_IS_DOUBT, false,
     "incertitude incertitudes dubiety dubieties doubtfulness doubtfulnesses dubiousness "
     "dubiousnesses dupery duperies prevarication prevarications false_belief false_beliefs "
     "fable fables psychotic_belief psychotic_beliefs phantasy phantasies feigning feignings "
     "dissembling dissemblings make-believe make-believes pretending pretendings incredulity "
     "incredulities mental_rejection mental_rejections improbableness improbablenesses "
     "impossibleness impossiblenesses hearsay hearsays guess guesses surmise surmises surmisal "
     "surmisals accusal accusals hunch hunches error errors fault faults hyperbole hyperboles "},
    /* words: adverbs that say so of a verb, and phrases */
    {TZ_IS_DOUBT, false,
     "lie lies lied lying falsely wrongly mistakenly little_evidence little_chance little_hope "
     "little_sign little_prospect little_likelihood little_reason little_proof scant_evidence "
     "scant_hope slim_chance out_of_the_question short_of on_the_verge_of on_the_brink_of "
     "close_to_being remains_to_be_seen remain_to_be_seen remained_to_be_seen cast_doubt_on "
     "casts_doubt_on "},
    /* noun: Karttunen 1971: nouns of negative implicatives, and of absence */
    {TZ_IS_LACK, false,
     "failure failures lack lacks absence absences inability inabilities refusal refusals "
     "reluctance reluctances unwillingness unwillingnesses neglect neglects denial denials ban "
     "bani prohibition prohibitions rejection rejections prevention preventions avoidance "
     "avoidances shortage shortages dearth dearths scarcity scarcities paucity paucities "
     "omission omissions incapacity incapacities hesitation hesitations veto vetoes boycott "
     "boycotts cancellation cancellations abandonment abandonments suspension suspensions "
     "moratorium moratoria embargo embargoes exclusion exclusions "},
    /* noun: neighbours in WordNet */
    {TZ_IS_LACK, false,
     "deficiency deficiencies involuntariness involuntarinesses disregard disregards "
     "proscription proscriptions turning_away turning_aways shunning shunnings deficit deficits "
     "shortfall shortfalls scarceness scarcenesses vacillation vacillations wavering waverings "
     "trade_embargo trade_embargos trade_stoppage trade_stoppages "},
    /* verb: Hooper 1975, Kiparsky and Kiparsky 1970: weakly assertive and non-factive */
    {TZ_IS_HEDGE, false,
     "believe believes believed believing think thinks thought thinking suppose supposes "
     "supposed supposing expect expects expected expecting imagine imagines imagined imagining "
     "guess guesses guessed guessing surmise surmises surmised surmising presume presumes "
     "presumed presuming assume assumes assumed assuming suspect suspects suspected suspecting "
     "hope hopes hoped hoping wish wishes wished wishing fear fears feared fearing worry worries "
     "worried worrying wonder wonders wondered wondering claim claims claimed claiming allege "
     "alleges alleged alleging accuse accuses accused accusing threaten threatens threatened "
     "threatening assert asserts asserted asserting contend contends contended contending argue "
     "argues argued arguing speculate speculates speculated speculating conjecture conjectures "
     "conjectured conjecturing theorise theorises theorised theorising theorize theorizes "
     "theorized theorizing hypothesise hypothesises hypothesised hypothesising hypothesize "
     "hypothesizes hypothesized hypothesizing postulate postulates postulated postulating posit "
     "posits posited positing purport purports purported purporting profess professes professed "
     "professing insinuate insinuates insinuated insinuating imply implies implied implying "
     "suggest suggests suggested suggesting hint hints hinted hinting dream dreams dreamt "
     "dreaming reckon reckons reckoned reckoning bet bets betted betting seem seems seemed "
     "seeming appear appears appeared appearing "},
    /* verb: neighbours in WordNet */
    {TZ_IS_HEDGE, false,
     "anticipate anticipates anticipated anticipating conceive_of conceives_of conceived_of "
     "conceiving_of ideate ideates ideated ideating envisage envisages envisaged envisaging "
     "take_for_granted takes_for_granted taken_for_granted took_for_granted taking_for_granted "
     "aver avers averred averring criminate criminates criminated criminating asseverate "
     "asseverates asseverated asseverating connote connotes connoted connoting propose proposes "
     "proposed proposing daydream daydreams daydreamed daydreaming woolgather woolgathers "
     "woolgathered woolgathering "},
    /* adjective: Hooper 1975 */
    {TZ_IS_HEDGE, false,
     "possible likely probable conceivable plausible imaginable doubtless afraid hopeful fearful "},
    /* noun: Hooper 1975, Kiparsky and Kiparsky 1970 */
    {TZ_IS_HEDGE, false,
     "hope hopes fear fears suspicion suspicions claim claims allegation allegations accusation "
     "accusations suggestion suggestions assertion assertions contention contentions insinuation "
     "insinuations hypothesis hypotheses theory theories conjecture conjectures belief beliefs "
     "assumption assumptions presumption presumptions supposition suppositions wish wishes worry "
     "worries threat threats risk risks danger dangers chance chances possibility possibilities "
     "probability probabilities likelihood likelihoods prospect prospects idea ideas notion "
     "notions impression impressions expectation expectations legend legends hint hints concern "
     "concerns charge charges "},
    /* noun: neighbours in WordNet */
    {TZ_IS_HEDGE, false,
     "fearfulness fearfulnesses fright frights hunch hunches accusal accusals averment averments "
     "asseveration asseverations innuendo innuendoes guess guesses surmise surmises surmisal "
     "surmisals premise premises premiss premisses supposal supposals wishing wishings hazard "
     "hazards jeopardy jeopardies peril perils endangerment endangerments likeliness "
     "likelinesses intimation intimations "},
    /* words: Nairn, Condoravdi and Karttunen 2006: reports in the passive */
    {TZ_IS_HEDGE, false,
     "said_to reported_to rumoured rumored rumoured_to rumored_to understood_to reputed_to "
     "supposed_to meant_to "},
    /* adverb: Hyland 1998, Horn 1989: hedges, and what is not quite or not rightly so */
    {TZ_IS_ADVERB, false,
     "allegedly reportedly supposedly purportedly ostensibly apparently reputedly presumably "
     "possibly potentially perhaps maybe conceivably probably nearly almost virtually falsely "
     "wrongly wrongfully mistakenly unjustly erroneously incorrectly inaccurately unsuccessfully "
     "vainly hypothetically theoretically putatively seemingly "},
    /* adverb: neighbours in WordNet */
    {TZ_IS_ADVERB, false,
     "on_the_face_of_it presumptively mayhap peradventure likely in_all_likelihood "
     "in_all_probability belike well-nigh in_vain "},
    /* adjective: Kamp 1975, Partee 2010: modal and privative */
    {TZ_IS_ADVERB, false,
     "alleged supposed attempted fake counterfeit suspected presumed reputed purported putative "
     "mock bogus sham phoney phony fictitious fictional imaginary imagined hypothetical false "
     "failed aborted abortive unsuccessful thwarted foiled averted rumoured rumored unconfirmed "
     "potential possible apparent former "},
    /* adjective: neighbours in WordNet */
    {TZ_IS_ADVERB, false,
     "so-called conjectural hypothetic suppositional suppositious supposititious faux imitation "
     "simulated assumed fictive pretended fabricated fancied notional "},
    /* words: the same, hyphened */
    {TZ_IS_ADVERB, false,
     "would-be would_-_be so-called so_-_called self-styled self_-_styled self-proclaimed "
     "self_-_proclaimed all_but in_vain "},
    /* words: Klima 1964, Horn 1989 */
    {TZ_IS_NEGATION, false,
     "not n't n’t nt never no neither nor nobody nothing none nowhere without hardly barely "
     "scarcely rarely seldom few nary not_necessarily not_always not_all not_every not_everyone "
     "not_entirely not_fully not_quite not_yet yet_to nowhere_near no_one no_longer no_more "
     "by_no_means in_no_way at_no_time under_no_circumstances on_no_account anything_but "
     "instead_of rather_than far_from_certain far_from_clear far_from_over far_from_true "
     "far_from_finished far_from_complete far_from_safe "},
    /* words: Karttunen 1971: too weak to stand */
    {TZ_IS_EXCESS, false,
     "too insufficiently "},
    /* words: before a verb that is kept from being so */
    {TZ_IS_BEFORE, false,
     "from against "},
    /* words: of no class, though a part of them is */
    {TZ_IS_PLAIN, false,
     "a_few the_few quite_a_few last_few past_few next_few first_few every_few these_few "
     "those_few no_doubt not_only not_just no_matter nothing_but no_wonder in_case_of "
     "no_fewer_than no_less_than not_far_from question_of "},
    /* words: Quirk et al. 1985, 15.33 to 15.44 */
    {TZ_IS_CONDITION, false,
     "if unless whether lest provided until except only_if if_only as_long_as so_long_as "
     "provided_that providing_that on_condition_that on_the_condition_that in_case "
     "in_the_event_that in_the_event_of supposing supposing_that assuming_that insofar_as "
     "in_so_far_as only_when only_after only_once as_soon_as except_when except_if as_if "
     "as_though even_if but_for subject_to barring pending in_the_absence_of apart_from "
     "aside_from except_for other_than with_the_exception_of "},
    /* words: Palmer 1986: what would be, or may be, is not */
    {TZ_IS_BEFORE, false,
     "would could might may should must ought "},
    /* words: Quirk et al. 1985, 15.36: conditions where they begin a sentence that is no */
    /* question */
    {TZ_IS_INVERTED, false,
     "had were should "},
    /* words: Barwise and Cooper 1981: at most so many */
    {TZ_IS_BOUND, false,
     "at_most no_more_than not_more_than fewer_than less_than nearly almost under below up_to "
     "close_to a_maximum_of at_the_most only merely barely hardly "},
    /* words: Barwise and Cooper 1981: at least, or roughly, so many */
    {TZ_IS_ABOUT, false,
     "more most least more_than at_least over about around roughly approximately "},
    /* words: what bounds go with, beside numbers */
    {TZ_IS_AMOUNT, false,
     "half third thirds quarter quarters all every everyone everybody everything any anyone "
     "anybody anything "},
    {0, false, NULL},
};
