// The editor of rule files: colours, and the compiler's messages at their line.
// SPDX-License-Identifier: MIT
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const statements = /^(rules|cite|count|length|names|input|weight|item|goal|resource|relation|ambiguous|derivations)\b/;

const language = StreamLanguage.define({
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^(-{3,}|─{3,})/)) return "meta";
    if (stream.sol() && stream.match(statements)) return "keyword";
    if (stream.match(/^(axiom|if|sparse|sum|over|in)\b/)) return "keyword";
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_-]*(?=\[)/u)) return "variableName";
    if (stream.match(/^\d+/)) return "number";
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u)) return "propertyName";
    stream.next();
    return "operator";
  },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: tags.variableName, color: "light-dark(#8a3b12, #f0b27a)" },
  { tag: tags.number, color: "light-dark(#2f6f3e, #9bd3a8)" },
  { tag: tags.meta, color: "var(--faint)" },
]);

/** A message about a place in the file. */
export interface Message {
  line: number;
  column: number;
  text: string;
  severity: "error" | "warning";
}

export class Editor {
  readonly #view: EditorView;

  constructor(parent: HTMLElement, text: string, changed: (text: string) => void) {
    this.#view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          lintGutter(),
          language,
          syntaxHighlighting(colours),
          keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
          EditorView.contentAttributes.of({ "aria-label": "Rule file", spellcheck: "false" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString());
          }),
        ],
      }),
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }
  set text(text: string) {
    if (text !== this.text) this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
  }

  show(messages: readonly Message[]): void {
    const { doc } = this.#view.state;
    const diagnostics: Diagnostic[] = messages.map(({ line, column, text, severity }) => {
      const of = doc.line(Math.min(Math.max(line, 1), doc.lines));
      const from = Math.min(of.from + column - 1, of.to);
      return { from, to: of.to, severity, message: text };
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }

  /** Puts the cursor where a message is. */
  go(line: number, column: number): void {
    const of = this.#view.state.doc.line(Math.min(Math.max(line, 1), this.#view.state.doc.lines));
    this.#view.dispatch({ selection: { anchor: Math.min(of.from + column - 1, of.to) }, scrollIntoView: true });
    this.#view.focus();
  }
}
