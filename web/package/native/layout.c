/* layout.c - where the members of the public structs stand: src/layout.ts says the same.
 * SPDX-License-Identifier: MIT */
#include <stddef.h>

#include <trapeze/automaton.h>
#include <trapeze/grammar.h>
#include <trapeze/text.h>

#define SIZE(type, bytes)      _Static_assert(sizeof(type) == (bytes), #type)
#define AT(type, member, byte) _Static_assert(offsetof(type, member) == (byte), #type "." #member)

SIZE(tz_error, 1028);
AT(tz_error, message, 4);

SIZE(tz_shape, 92);
AT(tz_shape, rank, 0);
AT(tz_shape, sparse, 4);
AT(tz_shape, origin, 8);
AT(tz_shape, extent, 36);
AT(tz_shape, least, 64);

SIZE(tz_scores, 72);
AT(tz_scores, data, 0);
AT(tz_scores, type, 4);
AT(tz_scores, extent, 8);
AT(tz_scores, stride, 36);
AT(tz_scores, index, 64);
AT(tz_scores, entries, 68);

SIZE(tz_input_numbers, 60);
AT(tz_input_numbers, data, 0);
AT(tz_input_numbers, extent, 4);
AT(tz_input_numbers, stride, 32);

SIZE(tz_problem, 28);
AT(tz_problem, lengths, 0);
AT(tz_problem, scores, 4);
AT(tz_problem, numbers, 24);

SIZE(tz_output, 32);
AT(tz_output, data, 0);
AT(tz_output, stride, 4);

SIZE(tz_use, 40);
AT(tz_use, weight, 0);
AT(tz_use, index, 4);
AT(tz_use, score, 32);

SIZE(tz_node, 40);
AT(tz_node, item, 0);
AT(tz_node, rule, 4);
AT(tz_node, premises, 8);
AT(tz_node, index, 12);

SIZE(tz_derivation, 32);
AT(tz_derivation, score, 0);
AT(tz_derivation, uses, 8);
AT(tz_derivation, nodes, 12);
AT(tz_derivation, use, 16);
AT(tz_derivation, node, 20);
AT(tz_derivation, position, 24);

SIZE(tz_position, 32);
AT(tz_position, count, 0);
AT(tz_position, at, 4);

SIZE(tz_answers, 28);
AT(tz_answers, value, 0);
AT(tz_answers, marginals, 12);
AT(tz_answers, through, 16);

SIZE(tz_run_options, 20);
AT(tz_run_options, outside, 0);
AT(tz_run_options, lanes, 4);
AT(tz_run_options, threads, 8);
AT(tz_run_options, charts, 12);
AT(tz_run_options, watch, 16);

SIZE(tz_text_word, 32);
AT(tz_text_word, form, 0);
AT(tz_text_word, upos, 4);
AT(tz_text_word, xpos, 8);
AT(tz_text_word, deprel, 12);
AT(tz_text_word, begin, 16);
AT(tz_text_word, end, 20);
AT(tz_text_word, head, 24);
AT(tz_text_word, compressed, 28);

SIZE(tz_text_sentence, 16);
AT(tz_text_sentence, words, 0);
AT(tz_text_sentence, word, 4);
AT(tz_text_sentence, compression, 8);
AT(tz_text_sentence, like_law, 12);

SIZE(tz_grammar_list, 20);
AT(tz_grammar_list, rank, 0);
AT(tz_grammar_list, entries, 4);
AT(tz_grammar_list, index, 8);
AT(tz_grammar_list, score, 12);
AT(tz_grammar_list, rule, 16);

SIZE(tz_grammar_rule, 24);
AT(tz_grammar_rule, left, 0);
AT(tz_grammar_rule, line, 4);
AT(tz_grammar_rule, first, 8);
AT(tz_grammar_rule, size, 12);
AT(tz_grammar_rule, score, 16);

SIZE(tz_grammar_parts, 180);
AT(tz_grammar_parts, symbols, 0);
AT(tz_grammar_parts, words, 4);
AT(tz_grammar_parts, rules, 8);
AT(tz_grammar_parts, symbol, 12);
AT(tz_grammar_parts, made, 16);
AT(tz_grammar_parts, word, 20);
AT(tz_grammar_parts, rule, 24);
AT(tz_grammar_parts, right, 28);
AT(tz_grammar_parts, root, 32);
AT(tz_grammar_parts, height, 36);
AT(tz_grammar_parts, list, 40);

SIZE(tz_named_text, 12);
AT(tz_named_text, name, 0);
AT(tz_named_text, text, 4);
AT(tz_named_text, size, 8);

SIZE(tz_automaton_form, 16);
AT(tz_automaton_form, weights, 0);
AT(tz_automaton_form, transducer, 4);
AT(tz_automaton_form, inputs, 8);
AT(tz_automaton_form, outputs, 12);

SIZE(tz_automaton_arc, 32);
AT(tz_automaton_arc, from, 0);
AT(tz_automaton_arc, to, 4);
AT(tz_automaton_arc, input, 8);
AT(tz_automaton_arc, output, 12);
AT(tz_automaton_arc, score, 16);
AT(tz_automaton_arc, origin, 24);

SIZE(tz_automaton_parts, 72);
AT(tz_automaton_parts, states, 0);
AT(tz_automaton_parts, arcs, 4);
AT(tz_automaton_parts, inputs, 8);
AT(tz_automaton_parts, outputs, 12);
AT(tz_automaton_parts, vertices, 16);
AT(tz_automaton_parts, pairs, 20);
AT(tz_automaton_parts, transducer, 24);
AT(tz_automaton_parts, start, 28);
AT(tz_automaton_parts, state, 32);
AT(tz_automaton_parts, input, 36);
AT(tz_automaton_parts, output, 40);
AT(tz_automaton_parts, arc, 44);
AT(tz_automaton_parts, begin, 48);
AT(tz_automaton_parts, end, 52);
AT(tz_automaton_parts, pair, 56);
AT(tz_automaton_parts, pair_score, 60);
AT(tz_automaton_parts, pair_arc, 64);
AT(tz_automaton_parts, largest, 68);
