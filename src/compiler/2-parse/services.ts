// Parses the lines under `services:`, the options under each, and headers.
import { wordCharacter } from '../1-layout/alphabet.js';
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Misspelt } from '../diagnostics/diagnostic.js';
import { closest } from '../diagnostics/suggest.js';
import type { ParseContext } from './context.js';
import { meantService } from './explain/everyday-service.js';
import { found, inWords } from './explain/expected-words.js';
import { blockProblem, wrongCapitals } from './explain/explain.js';
import type { LineRules, ServiceOptionLine } from './line-node.js';
import { fits, opens } from './match-line.js';
import type { BrokenService, Service, ServiceOptions } from './tree.js';

/** No one writes longer declarations of a single line by hand. */
const LONGEST = 200;

const IS = wordCharacter('is') ?? '';

export function parseServices(head: Line, context: ParseContext): (Service | BrokenService)[] {
  const services: (Service | BrokenService)[] = [];
  const queue = [...head.children].reverse();
  for (let line = queue.pop(); line !== undefined && !context.gaveUp; line = queue.pop()) {
    const matched = line.fault === undefined ? context.match('serviceLine', line) : undefined;
    if (matched?.ok === true) {
      const { stray, ...options } = parseServiceOptions(line.children, context);
      services.push({ ...matched.node, ...options, span: lineSpan(line), line: line.number });
      queue.push(...[...stray].reverse());
      continue;
    }
    if (line.fault !== undefined) context.report(line.fault);
    else if (matched?.ok === false) {
      const { failure } = matched;
      const written =
        failure.token * 2 < line.offsets.length
          ? context.text.slice(line.offsets[2 * failure.token], line.offsets[2 * failure.token + 1])
          : '';
      const words = failure.expected.flatMap((text) => (/^"[\w ]+"$/.test(text) ? [text.slice(1, -1)] : []));
      const start = line.offsets[2 * failure.token] ?? line.end;
      context.report(
        catalogue.badDeclaration(
          { span: { start, end: start + Math.max(1, written.length) }, suggestion: closest(written, words) },
          found(line, context.text, failure.token),
          inWords(failure.expected),
          context.names(line),
          line.end - line.start > LONGEST ? undefined : meantService(context.text.slice(line.start, line.end), context.text),
        ),
      );
    }
    const name = context.name(line, 0);
    const isNamed = name !== undefined && line.shape.charAt(1) === IS;
    services.push({ kind: 'broken', name: name ?? { text: '', span: lineSpan(line) }, nameless: !isNamed });
  }
  return services;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** `stray` are the lines among them that are declarations themselves. */
function parseServiceOptions(
  lines: readonly Line[],
  context: ParseContext,
): ServiceOptions & { readonly stray: readonly Line[] } {
  const stray: Line[] = [];
  const options: Mutable<ServiceOptions> = {
    headers: [],
    headersSpan: undefined,
    timeout: undefined,
    limits: [],
    clientCertificate: undefined,
    signIn: undefined,
    from: undefined,
  };
  for (const line of lines) {
    if (line.fault !== undefined) {
      options.hasUnread = true;
      context.report(line.fault);
      continue;
    }
    const matched = context.match('serviceOptionLine', line);
    if (matched.ok) {
      takeOption(options, matched.node, line, context);
    } else if (fits('serviceLine', line.shape + opens(line.children))) {
      context.report(catalogue.indentedUnderNothing(lineSpan(line), 4));
      stray.push(line);
    } else {
      options.hasUnread = true;
      context.report(
        blockProblem(line, context.text, matched.failure) ??
          wrongCapitals('serviceOptionLine', line, context.text, matched.failure) ??
          catalogue.badServiceOption(meantOption(line, context), meantForm(line, context)),
      );
      // Most likely headers, so the lines under it are still parsed.
      if (line.children.length > 0) takeHeaders(options, line, context);
    }
  }
  return { ...options, stray };
}

function takeOption(options: Mutable<ServiceOptions>, node: ServiceOptionLine, line: Line, context: ParseContext): void {
  const span = lineSpan(line);
  const isFirst = (name: string, known: unknown): boolean => {
    if (known !== undefined) context.report(catalogue.repeatedServiceOption(span, name));
    return known === undefined;
  };
  switch (node.kind) {
    case 'headers':
      isFirst('with headers', options.headersSpan);
      takeHeaders(options, line, context);
      break;
    case 'timeout':
      if (!isFirst('with timeout', options.timeout)) break;
      if (node.value.amount.kind === 'number' && node.value.amount.value <= 0)
        context.report(catalogue.noTimeAtAll(node.value.span));
      else options.timeout = node.value;
      break;
    case 'limit': {
      const { per, count } = node;
      const same = options.limits.find((limit) => limit.per === per);
      if (!isFirst(`with limit … calls ${per}`, same)) break;
      if (!Number.isInteger(count.value) || count.value < 1 || count.value > mostCalls)
        context.report(catalogue.outOfRange(count.span, 'The number of calls', 1, mostCalls));
      options.limits = [...options.limits, { per, count, span }];
      break;
    }
    case 'certificate': {
      const { kind: _kind, ...files } = node;
      if (isFirst('with client certificate', options.clientCertificate)) options.clientCertificate = files;
      break;
    }
    case 'sign in': {
      const { kind: _kind, ...client } = node;
      if (isFirst('sign in at', options.signIn)) options.signIn = client;
      break;
    }
    case 'from':
      if (isFirst('from', options.from)) options.from = node.value;
      break;
  }
}

const mostCalls = 1_000_000;

function takeHeaders(options: Mutable<ServiceOptions>, line: Line, context: ParseContext): void {
  options.headersSpan ??= lineSpan(line);
  options.headers = [...options.headers, ...parseHeaderLines('headerLine', line.children, context)];
}

/** The option that a line most likely means: its second word, or its first if `with` is missing. */
/** The option that the line tries to be, if its first words say so. */
function meantForm(line: Line, context: ParseContext): 'limit' | 'sign' | 'client' | undefined {
  const words = context.text.slice(line.start, line.start + 30);
  if (/^sign\b/i.test(words)) return 'sign';
  if (/^(?:with )?client\b/i.test(words)) return 'client';
  return /^with limit\b/i.test(words) ? 'limit' : undefined;
}

function meantOption(line: Line, context: ParseContext): Misspelt {
  const options = ['headers', 'timeout', 'limit'];
  const [first, second] = [context.name(line, 0), context.name(line, 1)];
  if (first !== undefined && options.includes(first.text)) return { span: first.span, suggestion: `with ${first.text}` };
  const suggestion = closest(second?.text ?? '', options);
  return { span: second === undefined || suggestion === undefined ? lineSpan(line) : second.span, suggestion };
}

/** @param rule that of a service's headers, or of a call's */
export function parseHeaderLines<Rule extends 'headerLine' | 'callHeaderLine'>(
  rule: Rule,
  lines: readonly Line[],
  context: ParseContext,
): LineRules[Rule][] {
  const headers: LineRules[Rule][] = [];
  for (const line of lines) {
    const matched = line.fault === undefined ? context.match(rule, line) : undefined;
    if (line.fault !== undefined) context.report(line.fault);
    else if (matched?.ok === true) headers.push(matched.node);
    else context.report(catalogue.badHeader(lineSpan(line)));
  }
  return headers;
}
