// Parses the lines under `services:` into declarations.

import { wordCharacter } from '../1-layout/alphabet.js';
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { closest } from '../diagnostics/suggest.js';
import type { ParseContext } from './context.js';
import { meantService } from './everyday-service.js';
import { found, inWords } from './expected-words.js';

import { parseServiceOptions } from './service-options.js';
import type { BrokenService, Service } from './tree.js';

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
          { start, end: start + Math.max(1, written.length) },
          found(line, context.text, failure.token),
          inWords(failure.expected),
          closest(written, words),
          context.names(line),
          line.end - line.start > LONGEST ? undefined : meantService(context.text.slice(line.start, line.end)),
        ),
      );
    }
    const name = context.name(line, 0);
    const isNamed = name !== undefined && line.shape.charAt(1) === IS;
    services.push({ kind: 'broken', name: name ?? { text: '', span: lineSpan(line) }, nameless: !isNamed });
  }
  return services;
}
