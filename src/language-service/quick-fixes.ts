// Quick fixes: what a diagnostic suggests, what to do if a call fails, and sections that are missing. Each is an edit of the file.
import { UNIT } from '../compiler/1-layout/line.js';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { rewordedEdit, suggestedEdit, type TextEdit } from '../compiler/diagnostics/working-fixes.js';
import { withCertainFixes } from './certain-fixes.js';
import { WfDocument } from './document.js';
import { statementAt } from './hover.js';
import { endOfBlock } from './outline.js';

export interface QuickFix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** Whether there is no doubt about it. */
  readonly isPreferred: boolean;
}

export function fixesFor(document: WfDocument, diagnostic: LocatedDiagnostic): QuickFix[] {
  const { text } = document;
  const even = INDENTATION.includes(diagnostic.code) ? document.reindented : undefined;
  if (even !== undefined) {
    const edits = [{ span: { start: 0, end: text.length }, newText: even }];
    return [{ title: 'Indent every line of the file by 4 spaces a level', edits, isPreferred: true }];
  }
  const suggested = suggestedEdit(diagnostic, text);
  if (suggested !== undefined)
    return [{ title: `Write "${diagnostic.suggestion ?? suggested.newText}"`, edits: [suggested], isPreferred: true }];
  const missing = missingPart(document, diagnostic);
  if (missing !== undefined) return [missing];
  const reworded = rewordedEdit(diagnostic, text);
  if (reworded !== undefined) return [{ title: `Write "${reworded.newText}"`, edits: [reworded], isPreferred: false }];
  const { fix, hint, span } = diagnostic;
  const { start, end } = span;
  const line = fix?.shown === hint ? fix?.text : undefined;
  if (line === undefined || /[\n…]/.test(line) || text.slice(start, end).includes('\n')) return [];
  const edit = { span: { start, end }, newText: line };
  return isBetter(document, edit) ? [{ title: `Write "${line}"`, edits: [edit], isPreferred: false }] : [];
}

/** Tabs, or another number of spaces than four. */
const INDENTATION = ['WF003', 'WF004', 'WF005'];

/** Whether an edit leaves fewer errors, or as many and fewer warnings: an example of the right form may name what the file does not have. */
function isBetter({ text, file, checked }: WfDocument, { span, newText }: TextEdit): boolean {
  const mistakes = ({ diagnostics }: typeof checked): number =>
    diagnostics.reduce((sum, { severity }) => sum + (severity === 'error' ? 1_000 : 1), 0);
  const changed = new WfDocument(text.slice(0, span.start) + newText + text.slice(span.end), file);
  return mistakes(changed.checked) < mistakes(checked);
}

/** A section or a line that the file must have. */
function missingPart({ text, file, checked }: WfDocument, { code, suggestion, span }: LocatedDiagnostic): QuickFix | undefined {
  const insert = (title: string, at: number, newText: string): QuickFix => ({
    title,
    edits: [{ span: { start: at, end: at }, newText }],
    isPreferred: false,
  });
  const indent = ' '.repeat(UNIT);
  if (code === 'WF053' && span.end > span.start) return headBefore(text, span.start);
  if (code === 'WF053')
    return insert(
      'Add the section "workflow:"',
      text.length,
      `${text.endsWith('\n') || text === '' ? '' : '\n'}\nworkflow:\n${indent}trigger: when \n\n${indent}complete\n`,
    );
  if (code === 'WF109')
    return insert('Add the section "config:"', 0, `config:\n${indent}name: "${nameFor(file)}"\n${indent}version: 1\n\n`);
  if (code === 'WF110') {
    const head = text.indexOf('\n', span.start);
    return head === -1 ? undefined : insert('Say what triggers it', head + 1, `${indent}trigger: when \n\n`);
  }
  if (code === 'WF021' && suggestion === undefined) {
    const name = text.slice(span.start, span.end);
    const declaration = `${indent}${name} is an API at "https://example.com"\n`;
    const last = checked.workflow.services.at(-1);
    if (last !== undefined) {
      const next = text.indexOf('\n', last.name.span.start);
      return insert(`Declare the service "${name}"`, next === -1 ? text.length : next + 1, declaration);
    }
    const workflow = text.search(/^(?:tables|workflow):/m);
    return workflow === -1 ? undefined : insert(`Declare the service "${name}"`, workflow, `services:\n${declaration}\n`);
  }
  return undefined;
}

/** The head of a workflow whose lines are there. At the margin, they get their indentation, too. */
function headBefore(text: string, trigger: number): QuickFix {
  const start = text.lastIndexOf('\n', trigger - 1) + 1;
  const head = { span: { start, end: start }, newText: 'workflow:\n' };
  const rest = text.slice(start).split(/^(?=(?:config|inputs|services|tables):)/m, 1)[0] ?? '';
  const indented = {
    span: { start, end: start + rest.length },
    newText: `workflow:\n${rest.replace(/^(?=.)/gm, ' '.repeat(UNIT))}`,
  };
  return { title: 'Add "workflow:"', edits: [start === trigger ? indented : head], isPreferred: false };
}

/** `order-review.wf` → `order-review`, without what could end the text. */
const nameFor = (file: string): string => file.replace(/\.wf$/, '').replace(/["\\{}\p{Cc}]/gu, '');

/** For the statement on a line: what a person may want to add to it. */
export function additionsAt(document: WfDocument, number: number): QuickFix[] {
  const statement = statementAt(document, number);
  const line = document.byNumber.get(number);
  if (line === undefined || (statement?.kind !== 'call' && statement?.kind !== 'ask') || statement.onFailure !== undefined)
    return [];
  const service = document.checked.workflow.services.find(({ name }) => name.text === statement.service.text);
  if (service?.kind === 'person') return [];
  const indent = ' '.repeat(UNIT * (line.depth + 1));
  const unit = ' '.repeat(UNIT);
  const lines = [
    'on failure:',
    `${unit}retry 3 times waiting 5 seconds`,
    `${unit}if still failing:`,
    `${unit}${unit}reject with "${statement.service.text} does not answer"`,
  ];
  const end = document.text.indexOf('\n', endOfBlock(line));
  const at = end === -1 ? document.text.length : end;
  const newText = lines.map((one) => `\n${indent}${one}`).join('');
  return [
    {
      title: `Retry, and say what to do if ${statement.service.text} fails`,
      edits: [{ span: { start: at, end: at }, newText }],
      isPreferred: false,
    },
  ];
}

/** All certain corrections of a file at once; `undefined` if there are none. */
export function fixAll({ text, file, checked, reindented }: WfDocument): TextEdit | undefined {
  if (checked.diagnostics.length === 0) return undefined;
  const fixed = withCertainFixes(reindented ?? text, (current) => new WfDocument(current, file).explained.diagnostics);
  return fixed.text === text ? undefined : { span: { start: 0, end: text.length }, newText: fixed.text };
}
