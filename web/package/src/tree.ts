// Trees of constituents, as grammars give them. SPDX-License-Identifier: MIT

/** How wide a text is drawn: its characters. */
const width = (text: string) => [...text].length;

/** Blanks on both sides, so that the whole is as wide; where they are odd, one more before a text in
 * an odd width, and behind it in an even one. */
function centred(text: string, wide: number): string {
  const blanks = wide - width(text);
  const before = blanks <= 0 ? 0 : (blanks >> 1) + (blanks & wide & 1);
  return " ".repeat(before) + text + " ".repeat(Math.max(0, blanks - before));
}

/** A name; one with blanks, brackets or quotes in it as a JSON string. */
const nameOf = (name: string) => (name !== "" && !/[ ()"\\\u0000-\u001f]/.test(name) ? name : JSON.stringify(name));

/** Lines of one width, and the column of the label's middle. */
type Drawing = [lines: string[], middle: number];

/** A symbol and what it consists of: trees, and words. */
export class Tree {
  readonly label: string;
  readonly children: readonly (Tree | string)[];
  /** Of the whole: its log weight by the grammar. */
  readonly score: number;

  constructor(label: string, children: readonly (Tree | string)[], score = 0) {
    this.label = label;
    this.children = children;
    this.score = score;
  }

  /** All trees and words in it, itself first, in preorder; without recursion, since it may be deep. */
  *#walk(): Generator<Tree | string> {
    const left: (Tree | string)[] = [this];
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      yield node;
      if (node instanceof Tree) left.push(...[...node.children].reverse());
    }
  }

  /** The words, from left to right. */
  get words(): string[] {
    return [...this.#walk()].filter((node) => typeof node === "string");
  }

  /** All trees in it, itself first, in preorder. */
  trees(): Tree[] {
    return [...this.#walk()].filter((node) => node instanceof Tree);
  }

  /** The tree in brackets. */
  toString(): string {
    let text = "";
    const left: (Tree | string | null)[] = [this]; // null: a bracket is to be closed
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      if (node instanceof Tree) {
        text += ` (${nameOf(node.label)}`;
        left.push(null, ...[...node.children].reverse());
      } else text += node === null ? ")" : ` ${nameOf(node)}`;
    }
    return text.slice(1);
  }

  /** The tree as text, the start on top, its words in the last line. */
  draw(): string {
    return drawn(this)[0].map((line) => line.trimEnd()).join("\n");
  }
}

/** How many symbols stand above one another. */
function depthOf(tree: Tree): number {
  let depth = 0;
  for (let level = [tree]; level.length > 0; depth++) level = level.flatMap((node) => node.children.filter((child) => child instanceof Tree));
  return depth;
}

/** From the leaves up. */
function drawn(tree: Tree): Drawing {
  const depth = depthOf(tree);
  const done: Drawing[] = [];
  const left: { node: Tree | string; level: number; ready: boolean }[] = [{ node: tree, level: 0, ready: false }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, level, ready } = next;
    if (typeof node === "string") {
      const bar = centred("│", width(node));
      const gap: string[] = new Array(2 * (depth - level)).fill(bar);
      done.push([[...gap, node], gap.length > 0 ? bar.indexOf("│") : (width(node) - 1) >> 1]);
    } else if (!ready) {
      left.push({ node, level, ready: true });
      left.push(...[...node.children].reverse().map((child) => ({ node: child, level: level + 1, ready: false })));
    } else done.push(over(node.label, done.splice(done.length - node.children.length), 2 * (depth - level)));
  }
  return done[0]!;
}

/** A label over drawings, of so many lines below it. */
function over(label: string, below: Drawing[], height: number): Drawing {
  if (below.length === 0) below = [[new Array<string>(height).fill(" "), 0]];
  let marks: number[] = [];
  let at = 0;
  let rows: string[] = new Array(height).fill("");
  for (const [lines, middle] of below) {
    marks.push(at + middle);
    at += width(lines[0]!) + 1;
    rows = rows.slice(0, lines.length).map((row, r) => `${row}${lines[r]} `);
  }
  rows = rows.map((row) => row.slice(0, -1));
  let middle = (marks[0]! + marks.at(-1)!) >> 1;
  const half = (width(label) - 1) >> 1;
  const before = Math.max(0, half - middle);
  const wide = Math.max(width(rows[0]!) + before, before + middle - half + width(label));
  const filled = (text: string) => text + " ".repeat(Math.max(0, wide - width(text)));
  rows = rows.map((row) => filled(" ".repeat(before) + row));
  marks = marks.map((mark) => mark + before);
  middle += before;
  const top = filled(" ".repeat(middle - half) + label);
  const bar: string[] = new Array(wide).fill(" ");
  if (marks.length > 1) {
    bar.fill("─", marks[0], marks.at(-1)! + 1);
    for (const mark of marks) bar[mark] = "┬";
    bar[marks[0]!] = "┌";
    bar[marks.at(-1)!] = "┐";
    bar[middle] = { "─": "┴", "┬": "┼" }[bar[middle]!] ?? bar[middle]!;
  } else if (rows.some((row) => row.trim() !== "")) bar[middle] = "│";
  return [[top, bar.join(""), ...rows], middle];
}
