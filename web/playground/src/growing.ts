// The best derivation as far as the chart has come: the uses of those of its items that are there.
// SPDX-License-Identifier: MIT
import type { Cell, Chart, Problem, Proof, Rules, Use } from "trapeze";

/** A use of the best derivation, and the item that it comes with. */
export interface Growth {
  cell: Cell;
  uses: Use[];
}

/** The items of the best derivation, premises first, each with the weights of its rule. */
export function growthOf(rules: Rules, chart: Chart, problem: Problem): Growth[] {
  const { best } = rules.run("max", problem, { best: true, derivation: true });
  const ret: Growth[] = [];
  const walk = (proof: Proof): Cell | undefined => {
    const premises = proof.premises.map(walk);
    const cell = chart.cell(proof.item, proof.index);
    const instance = cell?.instances.find(
      ({ rule, premises: of }) => rule === proof.rule && of.length === premises.length && of.every((one, p) => one === premises[p]),
    );
    if (cell && instance) ret.push({ cell, uses: instance.weights.map(({ name, index, value }): Use => [name, ...index, value]) });
    return cell;
  };
  if (best?.derivation) walk(best.derivation);
  return ret;
}
