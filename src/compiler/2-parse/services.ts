// The lines of `services:` → declarations.

import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { closest } from '../diagnostics/suggest.js';
import type { ParseContext } from './context.js';
import { blockProblem, found, inWords } from './explain.js';
import type { BrokenService, Duration, Header, Service, ServiceOptions } from './tree.js';

export function parseServices(head: Line, context: ParseContext): (Service | BrokenService)[] {
  const services: (Service | BrokenService)[] = [];
  const queue = [...head.children].reverse();
  for (let line = queue.pop(); line !== undefined && !context.gaveUp; line = queue.pop()) {
    const matched = line.fault === undefined ? context.match('serviceLine', line) : undefined;
    if (matched?.ok === true) {
      services.push({ ...matched.node, ...parseOptions(line.children, context), span: lineSpan(line), line: line.number });
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
    if (name !== undefined) services.push({ kind: 'broken', name });
  }
  return services;
}

function parseOptions(lines: readonly Line[], context: ParseContext): ServiceOptions {
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
      else if (matched.node.value.amount <= 0) context.report(catalogue.badServiceOption(lineSpan(line), undefined));
      else timeout = matched.node.value;
    } else if (matched?.ok === false) {
      const second = context.name(line, 1)?.text ?? '';
      context.report(
        blockProblem(line, context.text, matched.failure) ??
          catalogue.badServiceOption(lineSpan(line), closest(second, ['headers', 'timeout'])),
      );
      // Most likely headers: what stands under it is still read.
      if (line.children.length > 0) {
        headersSpan ??= lineSpan(line);
        headers = [...headers, ...parseHeaders(line.children, context)];
      }
    }
  }
  return { headers, headersSpan, timeout };
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
