// The lines of `services:` → declarations.

import { wordCharacter } from '../1-layout/alphabet.js';
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { closest } from '../diagnostics/suggest.js';
import type { ParseContext } from './context.js';
import { blockProblem, found, inWords, wrongCapitals } from './explain.js';
import { matchShape, opens } from './match-line.js';
import type { BrokenService, Duration, Header, Service, ServiceOptions } from './tree.js';

const IS = wordCharacter('is') ?? '';

export function parseServices(head: Line, context: ParseContext): (Service | BrokenService)[] {
  const services: (Service | BrokenService)[] = [];
  const queue = [...head.children].reverse();
  for (let line = queue.pop(); line !== undefined && !context.gaveUp; line = queue.pop()) {
    const matched = line.fault === undefined ? context.match('serviceLine', line) : undefined;
    if (matched?.ok === true) {
      const { stray, ...options } = parseOptions(line.children, context);
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
      const words = failure.expected.flatMap((text) => (/^"\w+"$/.test(text) ? [text.slice(1, -1)] : []));
      const start = line.offsets[2 * failure.token] ?? line.end;
      context.report(
        catalogue.badDeclaration(
          { start, end: start + Math.max(1, written.length) },
          found(line, context.text, failure.token),
          inWords(failure.expected),
          closest(written, words),
        ),
      );
    }
    const name = context.name(line, 0);
    const isNamed = name !== undefined && line.shape.charAt(1) === IS;
    services.push({ kind: 'broken', name: name ?? { text: '', span: lineSpan(line) }, nameless: !isNamed });
  }
  return services;
}

/** The lines under a declaration; `stray` are those among them that are declarations themselves. */
function parseOptions(lines: readonly Line[], context: ParseContext): ServiceOptions & { readonly stray: readonly Line[] } {
  const stray: Line[] = [];
  let headers: Header[] = [];
  let headersSpan: ServiceOptions['headersSpan'];
  let timeout: Duration | undefined;
  for (const line of lines) {
    const matched = line.fault === undefined ? context.match('serviceOptionLine', line) : undefined;
    if (line.fault !== undefined) context.report(line.fault);
    if (matched?.ok === true && matched.node.kind === 'headers') {
      if (headersSpan !== undefined) context.report(catalogue.repeatedServiceOption(lineSpan(line), 'with headers'));
      headersSpan ??= lineSpan(line);
      headers = [...headers, ...parseHeaders(line.children, context)];
    } else if (matched?.ok === true && matched.node.kind === 'timeout') {
      if (timeout !== undefined) context.report(catalogue.repeatedServiceOption(lineSpan(line), 'with timeout'));
      else if (matched.node.value.amount <= 0) context.report(catalogue.noTimeAtAll(matched.node.value.span));
      else timeout = matched.node.value;
    } else if (matched?.ok === false && matchShape('serviceLine', line.shape + opens(line.children)).matched) {
      context.report(catalogue.indentedUnderNothing(lineSpan(line), 4));
      stray.push(line);
    } else if (matched?.ok === false) {
      context.report(
        blockProblem(line, context.text, matched.failure) ??
          wrongCapitals('serviceOptionLine', line, context.text, matched.failure) ??
          catalogue.badServiceOption(lineSpan(line), meantOption(line, context)),
      );
      // Most likely headers: what stands under it is still read.
      if (line.children.length > 0) {
        headersSpan ??= lineSpan(line);
        headers = [...headers, ...parseHeaders(line.children, context)];
      }
    }
  }
  return { headers, headersSpan, timeout, stray };
}

/** The option that a line most likely gives: its second word, or its first where `with` was left out. */
function meantOption(line: Line, context: ParseContext): string | undefined {
  const options = ['headers', 'timeout'];
  const first = context.name(line, 0)?.text ?? '';
  if (options.includes(first)) return `with ${first}`;
  return closest(context.name(line, 1)?.text ?? '', options);
}

function parseHeaders(lines: readonly Line[], context: ParseContext): Header[] {
  const headers: Header[] = [];
  for (const line of lines) {
    const matched = line.fault === undefined ? context.match('headerLine', line) : undefined;
    if (line.fault !== undefined) context.report(line.fault);
    else if (matched?.ok === true) headers.push(matched.node);
    else context.report(catalogue.badHeader(lineSpan(line)));
  }
  return headers;
}
