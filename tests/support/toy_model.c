/* toy_model.c - see toy_model.h. SPDX-License-Identifier: MIT */
#include "toy_model.h"

#include "shell.h"
#include "toy.h"

int toy_model(unsigned tagger_bits, unsigned bits) {
    random_state random = random_start("toy treebank");
    if (toy_file("train.conllu", toy_treebank, &random, 200) != 0)
        return -1;
    shell("awk -F'\\t' -vOFS='\\t' 'NF && $4 != \"ADJ\" { $10 = \"Kept=\" $7 } 1' train.conllu > "
          "pairs.conllu && trapeze train tagger -o tag.model --quiet --table %u train.conllu && "
          "trapeze train parser -o parse.model --quiet --table %u train.conllu && "
          "trapeze train grammar -o grammar train.conllu && "
          "trapeze train compressor -o compress.model --quiet --table %u --grammar grammar "
          "pairs.conllu && "
          "trapeze model pack -o toy.model tag.model parse.model compress.model grammar",
          tagger_bits, bits, bits);
    return code;
}
