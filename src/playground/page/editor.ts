// The editor: CodeMirror with the colours, problems, proposals and explanations of the language service, and the lines that a run took.
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete';
import { history, historyKeymap } from '@codemirror/commands';
import { type ChangeSpec, EditorSelection, EditorState, type Range, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, hoverTooltip, keymap, lineNumbers, type Tooltip } from '@codemirror/view';
import type { Look, Problem, TextChange } from '../protocol.js';

/** Help for people who use the keyboard alone. */
export const LEAVE = 'Tab indents. Escape, then Tab, leaves the text.';

interface EditorParts {
  readonly parent: ShadowRoot;
  readonly onChange: () => void;
  /** The key indents, which surprises whoever wants to leave. */
  readonly onTab: () => void;
  readonly proposals: (offset: number) => Promise<{
    readonly from: number;
    readonly items: readonly { readonly label: string; readonly kind: string; readonly detail?: string }[];
  }>;
  readonly about: (
    offset: number,
  ) => Promise<{ readonly from: number; readonly to: number; readonly markdown: string } | undefined>;
}

const showLook = StateEffect.define<Look>();
const showLines = StateEffect.define<readonly number[]>();
const UNIT = '    ';

/** Colours and underlines; they move with the text until the next look. */
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, { changes, effects, state }) {
    const look = effects.findLast((effect) => effect.is(showLook));
    return look === undefined ? old.map(changes) : marksOf(look.value, state.doc.length);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The problems of the last look, for pointing at them. */
const problems = StateField.define<readonly Problem[]>({
  create: () => [],
  update: (old, { effects }) => effects.findLast((effect) => effect.is(showLook))?.value.problems ?? old,
});

const ranLine = Decoration.line({ class: 'wf-ran' });
const ranLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, { changes, docChanged, effects, state }) {
    const lines = effects.findLast((effect) => effect.is(showLines));
    if (lines === undefined) return docChanged ? old.map(changes) : old;
    const known = lines.value.filter((line) => line <= state.doc.lines);
    return RangeSet.of(known.map((line) => ranLine.range(state.doc.line(line).from)));
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** By the depth of a line: where it goes on if it is too long for the page. */
const hanging = Array.from({ length: 10 }, (_, depth) =>
  Decoration.line({ attributes: { style: `--in:${(depth + 0.5) * UNIT.length}ch` } }),
);
const hangingIndents = EditorView.decorations.compute(['doc'], ({ doc }) => {
  const ranges: Range<Decoration>[] = [];
  let from = 0;
  for (const text of doc.iterLines()) {
    const depth = Math.ceil((/^ */.exec(text)?.[0].length ?? 0) / UNIT.length);
    const indent = hanging[depth];
    if (indent !== undefined) ranges.push(indent.range(from));
    from += text.length + 1;
  }
  return RangeSet.of(ranges);
});

function marksOf({ colours, problems: found }: Look, length: number): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  for (const { from, to, type } of colours)
    if (to <= length) ranges.push(Decoration.mark({ class: `wf-${type}` }).range(from, to));
  for (const { from, to, severity } of found) {
    // An empty range would not be underlined.
    const end = Math.min(length, Math.max(to, from + 1));
    if (from < end) ranges.push(Decoration.mark({ class: `wf-${severity}` }).range(from, end));
  }
  return RangeSet.of(ranges, true);
}

export class Editor {
  readonly #view: EditorView;

  constructor({ parent, onChange, onTab, proposals, about }: EditorParts) {
    const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
      const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
      if (!context.explicit && !/[\p{L}.{_]/u.test(before)) return null;
      const { from, items } = await proposals(context.pos);
      const options = items.map(({ label, kind, detail }) => ({
        label,
        type: kind,
        boost: kind === 'keyword' ? 0 : 1,
        ...(detail === undefined ? {} : { detail }),
      }));
      return options.length === 0 ? null : { from, options, validFor: /^[\p{L}\p{M}\p{Nd}_-]*$/u };
    };
    this.#view = new EditorView({
      parent,
      root: parent,
      state: EditorState.create({
        extensions: [
          [lineNumbers(), history(), marks, problems, ranLines, hangingIndents, editorTheme],
          autocompletion({ override: [complete], icons: false }),
          hoverTooltip((view, offset) => tooltipAt(view, offset, about), { hoverTime: 350 }),
          keymap.of([
            ...completionKeymap,
            ...historyKeymap,
            { key: 'Enter', run: newLine },
            {
              key: 'Tab',
              run: (view) => {
                onTab();
                return indent(view);
              },
              shift: outdent,
            },
            { key: 'Mod-/', run: comment },
          ]),
          EditorState.tabSize.of(UNIT.length),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            'aria-label': 'Workflow',
            'aria-description': LEAVE,
            tabindex: '0',
            spellcheck: 'false',
            autocapitalize: 'off',
          }),
          EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
        ],
      }),
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Replaces the text; the history starts again from it only for the reader, who can still undo. */
  set text(text: string) {
    this.#view.dispatch({
      changes: { from: 0, to: this.#view.state.doc.length, insert: text },
      selection: { anchor: 0 },
      scrollIntoView: true,
    });
  }

  show(look: Look): void {
    this.#view.dispatch({ effects: showLook.of(look) });
  }

  /** Whoever types sees where, also after the room for the text has shrunk. */
  keepInView(): void {
    const { hasFocus, state } = this.#view;
    if (hasFocus) this.#view.dispatch({ effects: EditorView.scrollIntoView(state.selection.main.head) });
  }

  light(lines: readonly number[]): void {
    this.#view.dispatch({ effects: showLines.of(lines) });
  }

  change(changes: readonly TextChange[]): void {
    this.#view.dispatch({ changes: changes as ChangeSpec, userEvent: 'input.fix' });
  }

  /** Moves the cursor to a place and there the eyes. @param offset a place, or `line` counted from 1 */
  go(place: { readonly offset: number } | { readonly line: number }): void {
    const { doc } = this.#view.state;
    const anchor =
      'offset' in place ? Math.min(place.offset, doc.length) : doc.line(Math.min(Math.max(1, place.line), doc.lines)).from;
    this.#view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    this.#view.focus();
  }

  focus(): void {
    this.#view.focus();
  }
}

/** Shows the mistake at a place; otherwise, the meaning of the word there. */
async function tooltipAt(view: EditorView, offset: number, about: EditorParts['about']): Promise<Tooltip | null> {
  const found = view.state.field(problems).filter(({ from, to }) => from <= offset && offset <= Math.max(to, from + 1));
  if (found[0] !== undefined) return tooltip(found[0].from, found[0].to, found.map(({ message }) => message).join('\n\n'));
  const known = await about(offset);
  return known === undefined
    ? null
    : tooltip(known.from, known.to, known.markdown.replace(/\n{0,2}````(?:wf)?\n?/g, '\n').trim());
}

const tooltip = (pos: number, end: number, text: string): Tooltip => ({
  pos,
  end,
  above: true,
  create() {
    const dom = document.createElement('div');
    dom.className = 'wf-about';
    dom.textContent = text;
    return { dom };
  },
});

/** As deep as this line, or a level deeper below a line that opens a block. */
function newLine(view: EditorView): boolean {
  const { state } = view;
  const spec = state.changeByRange(({ from, to }) => {
    const line = state.doc.lineAt(from);
    const before = line.text.slice(0, from - line.from);
    const depth = /^ */.exec(before)?.[0] ?? '';
    const insert = `\n${depth}${before.trimEnd().endsWith(':') ? UNIT : ''}`;
    return { changes: { from, to, insert }, range: EditorSelection.cursor(from + insert.length) };
  });
  view.dispatch(state.update(spec, { scrollIntoView: true, userEvent: 'input' }));
  return true;
}

function indent(view: EditorView): boolean {
  const { state } = view;
  if (completionStatus(state) === 'active') closeCompletion(view);
  if (state.selection.main.empty) {
    view.dispatch(state.replaceSelection(UNIT), { userEvent: 'input.indent' });
    return true;
  }
  return changeLines(view, ({ from, text }) => (text === '' ? [] : [{ from, insert: UNIT }]));
}

const outdent = (view: EditorView): boolean =>
  changeLines(view, ({ from, text }) => [{ from, to: from + (/^ {0,4}/.exec(text)?.[0].length ?? 0) }]);

const comment = (view: EditorView): boolean =>
  changeLines(view, ({ from, text }) => {
    const at = from + text.length - text.trimStart().length;
    const mark = /^\s*# ?/.exec(text)?.[0];
    return [mark === undefined ? { from: at, insert: '# ' } : { from: at, to: from + mark.length }];
  });

type Line = ReturnType<EditorState['doc']['line']>;

/** Changes each line of the selection. */
function changeLines(view: EditorView, change: (line: Line) => { from: number; to?: number; insert?: string }[]): boolean {
  const { doc, selection } = view.state;
  const [first, last] = [doc.lineAt(selection.main.from).number, doc.lineAt(selection.main.to).number];
  const changes = Array.from({ length: last - first + 1 }, (_, index) => change(doc.line(first + index))).flat();
  view.dispatch({ changes, userEvent: 'input.indent' });
  return true;
}

/** In the colours of the page. */
const editorTheme = EditorView.theme({
  '&': { flex: '1', minWidth: '0', backgroundColor: 'var(--bg)', color: 'var(--text)', fontSize: '0.86rem' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', padding: '0.6rem 0' },
  '.cm-line': { paddingLeft: 'calc(var(--in, 0px) + 6px)', textIndent: 'calc(-1 * var(--in, 0px))' },
  '.cm-gutters': { backgroundColor: 'var(--bg)', color: 'var(--muted)', border: 'none', minWidth: '2.6rem' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 0.7rem 0 0.4rem', fontSize: '0.75rem', lineHeight: '1.84' },
  '.cm-tooltip': {
    backgroundColor: 'var(--bg)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: '0 4px 16px #0003',
    maxWidth: 'min(34rem, 90vw)',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '0.84rem', maxHeight: '14em' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '0.15rem 0.6rem' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--bg)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionDetail': { opacity: '0.85', fontStyle: 'normal', fontSize: '0.78rem' },
  '.wf-about': { padding: '0.45rem 0.7rem', whiteSpace: 'pre-wrap', font: '0.85rem/1.5 var(--sans)' },
  '.wf-keyword': { color: 'var(--accent)', fontWeight: '600' },
  '.wf-string': { color: 'var(--ok)' },
  '.wf-number': { color: 'var(--warn)' },
  '.wf-comment': { color: 'var(--muted)', fontStyle: 'italic' },
  '.wf-variable, .wf-parameter': { fontWeight: '550' },
  '.wf-class': { color: 'var(--warn)', fontWeight: '550' },
  '.wf-error': { textDecoration: 'underline wavy var(--bad) 1.5px', textUnderlineOffset: '3px', textDecorationSkipInk: 'none' },
  '.wf-warning': {
    textDecoration: 'underline wavy var(--warn) 1.5px',
    textUnderlineOffset: '3px',
    textDecorationSkipInk: 'none',
  },
  '.wf-ran': { boxShadow: 'inset 3px 0 var(--accent)', backgroundColor: 'var(--tint)' },
});
