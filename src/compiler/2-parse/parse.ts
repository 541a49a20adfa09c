// Parses the lines of a file into its syntax tree and reports every syntax error.
import { wordCharacter } from '../1-layout/alphabet.js';
import type { Layout } from '../1-layout/layout.js';
import { type Line, lineSpan, tokenSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { closest } from '../diagnostics/suggest.js';
import { sectionTable } from '../vocabulary/line-table.js';
import { parseBlock } from './blocks.js';
import { parseConfig } from './config.js';
import { ParseContext } from './context.js';
import { blockProblem, lacksText } from './explain/explain.js';
import type { SectionName } from './line-node.js';
import { fits, opens } from './match-line.js';
import { parseInputs } from './parse-inputs.js';
import { parseTables } from './parse-tables.js';
import { readLines } from './read-lines.js';
import { parseServices } from './services.js';
import type { Block, Config, Inputs, Name, Workflow } from './tree.js';

const USING = wordCharacter('using') ?? '';
const SECTIONS = Object.keys(sectionTable) as SectionName[]; // its keys are all that it has

/** Parses any text and always returns a tree, even for a file that is not a workflow. Errors are added to `diagnostics`. */
export function parse(text: string, layout: Layout, diagnostics: Diagnostic[]): Workflow {
  const context = new ParseContext(text, diagnostics, parseBlock);
  let config: Config | undefined;
  let inputs: Workflow['inputs'];
  let services: Workflow['services'] = [];
  let tables: Workflow['tables'] = [];
  let trigger = '';
  let body: Block = [];
  const seen = new Set<SectionName>();
  /** The head of a section could not be parsed. */
  let isLost = false;
  /** The last lines of the workflow, which may be the head of a text whose lines are at the margin. */
  let above: Line | undefined;

  const { lines, orphans } = withoutOrphans(readLines(layout.tokens), context);
  for (const [index, line] of lines.entries()) {
    if (context.gaveUp) break;
    if (above !== undefined && isUnindentedText(line, above, context)) {
      body = [...body, ...context.block(line.children, { inLoop: false })];
      if (line.children.length > 0) above = line;
      continue;
    }
    isLost ||= line.fault !== undefined;
    const section = readSection(line, lines[index + 1], context);
    if (section === undefined) {
      const declared = line.fault === undefined ? declaredBy(line, context) : undefined;
      if (declared !== undefined) {
        services = [...services, { kind: 'broken', name: declared, nameless: false }];
      } else if (line.children.length > 0) {
        isLost = true;
        const name = { text: '', span: lineSpan(line) };
        services = [...services, { kind: 'broken', name, nameless: true }];
        tables = [...tables, { kind: 'broken', name }];
      }
      continue;
    }
    const later = SECTIONS.slice(SECTIONS.indexOf(section) + 1).find((name) => seen.has(name));
    if (seen.has(section)) context.report(catalogue.sectionTwice(lineSpan(line), section));
    else if (later !== undefined) context.report(catalogue.sectionOutOfOrder(lineSpan(line), section, later));
    if (section === 'config') {
      const settings = parseConfig(line, context);
      config ??= settings;
    } else if (section === 'inputs') {
      const declared = parseInputs(line, context);
      inputs = inputs === undefined ? declared : joined(inputs, declared);
    } else if (section === 'services') {
      services = [...services, ...parseServices(line, context)];
    } else if (section === 'tables') {
      tables = [...tables, ...parseTables(line, context)];
    } else {
      const workflow = parseWorkflow(line, context, seen.has('workflow'));
      if (!seen.has('workflow')) trigger = workflow.trigger;
      body = [...body, ...workflow.body];
    }
    above = section === 'workflow' ? line : undefined;
    seen.add(section);
  }
  const [first] = orphans;
  if (first !== undefined && !context.gaveUp) {
    context.report(catalogue.noWorkflow(lineSpan(first)));
    ({ trigger, body } = parseWorkflow({ ...first, children: orphans }, context, false));
  } else if (!seen.has('workflow') && !isLost && !context.gaveUp) {
    const end = text.trimEnd().length;
    context.report(catalogue.noWorkflow({ start: end, end }));
  }
  return { config, inputs, services, tables, trigger, body };
}

/** The sections, and apart from them the lines of a workflow that lacks its head: the trigger, in another section or at the margin, and all after it. */
function withoutOrphans(all: readonly Line[], context: ParseContext): { lines: readonly Line[]; orphans: readonly Line[] } {
  const meant = (line: Line): SectionName | undefined => sectionMeant(context.name(line, 0)?.text ?? '');
  const isHere = (line: Line): boolean => isTrigger(line, context);
  const index = all.findIndex((one) => isHere(one) || one.children.some(isHere));
  const line = all[index];
  if (line === undefined || all.some((one) => meant(one) === 'workflow')) return { lines: all, orphans: [] };
  const rest = all.slice(index);
  if (isHere(line)) {
    const end = rest.findIndex((one) => meant(one) !== undefined);
    const orphans = end === -1 ? rest : rest.slice(0, end);
    return { lines: all.filter((one) => !orphans.includes(one)), orphans };
  }
  if (meant(line) === undefined) return { lines: all, orphans: [] };
  const at = line.children.findIndex(isHere);
  const section = { ...line, children: line.children.slice(0, at) };
  return { lines: all.map((one) => (one === line ? section : one)), orphans: line.children.slice(at) };
}

/** Whether a line at the margin belongs to the text whose head is the last line above. That has been reported. */
function isUnindentedText(line: Line, above: Line, context: ParseContext): boolean {
  let last = above;
  for (let next = last.children.at(-1); next !== undefined; next = last.children.at(-1)) last = next;
  return last !== above && lacksText(last, context.text) && !SECTIONS.some((name) => name === context.name(line, 0)?.text);
}

/** The section that a line at the margin opens. Reports a line that opens none. `next` is the line at the margin after it. */
function readSection(line: Line, next: Line | undefined, context: ParseContext): SectionName | undefined {
  if (line.fault !== undefined) {
    context.report(line.fault);
    return SECTIONS.find((name) => name === context.name(line, 0)?.text);
  }
  const matched = context.match('sectionLine', line);
  if (matched.ok) {
    // Lines that lack indentation are reported separately.
    const isEmpty = next === undefined || SECTIONS.some((name) => name === context.name(next, 0)?.text);
    if (matched.node === 'workflow' && line.children.length === 0 && isEmpty)
      context.report(catalogue.emptyBlock(lineSpan(line), 4, 'workflow:\n    trigger: when an order is placed'));
    return matched.node;
  }
  const first = context.name(line, 0);
  const exact = SECTIONS.find((name) => name === first?.text);
  const meant =
    first === undefined
      ? undefined
      : (sectionMeant(first.text) ?? (line.children.some((child) => isTrigger(child, context)) ? 'workflow' : undefined));
  if (first === undefined || meant === undefined || (line.children.length === 0 && exact === undefined)) {
    context.report(catalogue.outsideSections(lineSpan(line), meant === undefined ? undefined : `${meant}:`));
    return undefined;
  }
  if (exact !== undefined)
    context.report(
      blockProblem(line, context.text, matched.failure) ??
        catalogue.besideSection(tokenSpan(line, matched.failure.token), `${exact}:`),
    );
  else if (meant === first.text.toLowerCase()) context.report(catalogue.wrongCase(first.span, first.text, meant));
  else {
    const { start, end } = first.span;
    context.report(catalogue.outsideSections({ start, end: end + (context.text.charAt(end) === ':' ? 1 : 0) }, `${meant}:`));
  }
  return meant;
}

/** Everyday words for sections. */
const otherWords: ReadonlyMap<string, SectionName> = new Map([
  ['settings', 'config'],
  ['parameters', 'inputs'],
  ['people', 'services'],
]);

/** The section that a word at the margin opens, also misspelt or in other words. */
export const sectionMeant = (word: string): SectionName | undefined =>
  SECTIONS.find((name) => name === word) ?? otherWords.get(word) ?? SECTIONS.find((name) => name === closest(word, SECTIONS));

/** The fields of both; the second section has been reported. */
const joined = (one: Inputs, other: Inputs): Inputs => ({
  ...one,
  fields: [...one.fields, ...other.fields],
  isWhole: one.isWhole && other.isWhole,
});

/** The trigger and the statements. A repeated section needs no trigger. */
function parseWorkflow(head: Line, context: ParseContext, again: boolean): { trigger: string; body: Block } {
  const [first, ...rest] = head.children;
  if (first === undefined) return { trigger: '', body: [] };
  const word = context.name(first, 0);
  const isTrigger =
    first.shape.charAt(1) === ':' &&
    word !== undefined &&
    (word.text === 'trigger' || closest(word.text, ['trigger']) !== undefined);
  if (!isTrigger) {
    if (!again && !head.children.some((line) => isMeantAsTrigger(line, context)))
      context.report(catalogue.noTrigger(lineSpan(head)));
    return { trigger: '', body: context.block(head.children, { inLoop: false }) };
  }
  if (word.text !== 'trigger') {
    context.report(
      word.text.toLowerCase() === 'trigger'
        ? catalogue.wrongCase(word.span, word.text, 'trigger')
        : catalogue.unexpected(word.span, `"${word.text}"`, [], 'trigger', undefined),
    );
    return { trigger: '', body: context.block([...first.children, ...rest], { inLoop: false }) };
  }
  const matched = context.match('statementLine', first);
  const text = matched.ok && matched.node.kind === 'trigger' ? matched.node.text : '';
  if (text === '') context.report(catalogue.noTrigger(lineSpan(first)));
  return {
    trigger: text,
    body: context.block([...(matched.ok ? matched.stray : first.children), ...rest], { inLoop: false }),
  };
}

/** `trigger: when …`: in no section but the workflow is there such a line. */
const isTrigger = (line: Line, context: ParseContext): boolean =>
  line.shape.length > 2 && line.shape.charAt(1) === ':' && context.name(line, 0)?.text === 'trigger';

/** A trigger that is broken or misplaced is reported as such, not as missing. */
const isMeantAsTrigger = (line: Line, context: ParseContext): boolean =>
  context.name(line, 0)?.text === 'trigger' && !line.shape.includes(USING);

/** The service that an unindented line outside the sections declares. */
const declaredBy = (line: Line, context: ParseContext): Name | undefined =>
  fits('serviceLine', line.shape + opens(line.children)) ? context.name(line, 0) : undefined;
