// The text between quotes, or free text, → literal parts and references. Reports braces that hold no name.
import { nameHint } from '../1-layout/name-hint.js';
import { MOST_FIELDS } from '../1-layout/scan-line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic, Span } from '../diagnostics/diagnostic.js';
import type { Source } from './source.js';
import type { Reference, Text } from './tree.js';

/** Values in one text: JavaScript reads no longer chain of them without end. */
const MOST_VALUES = 500;

const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', t: '\t' };
// The plain form is tried first, and the other one made where it is needed: classes of Unicode take V8 a millisecond to get ready.
const PLAIN_INTERPOLATION = /^[A-Za-z_][\w-]*(?:\.(?:[A-Za-z_][\w-]*|\d+))*$/;
const interpolation = (): RegExp => /^[\p{L}_][\p{L}\p{M}\p{Nd}_-]*(?:\.(?:[\p{L}_][\p{L}\p{M}\p{Nd}_-]*|\d+))*$/u;
/** What was meant as a name, and is none. */
const nameLike = (): RegExp => /^[\p{L}_][\p{L}\p{M}\p{Nd}_.-]*$/u;

/** `a.b.0` at `span` → the reference it is. */
export function toReference(written: string, span: Span): Reference {
  const dot = written.indexOf('.');
  if (dot === -1) return { kind: 'reference', root: written, fields: [], span };
  const [root = '', ...fields] = written.split('.');
  return { kind: 'reference', root, fields, span };
}

/** Reads the quoted text at `span`, quotes included (language.md 4). */
export const quotedText = (source: Source, span: Span): Text =>
  readText(source, { start: span.start + 1, end: span.end - 1 }, span, true);

/** Reads an instruction: interpolation works as in quoted text, a backslash is a backslash. */
export const freeText = (source: Source, span: Span): Text => readText(source, span, span, false);

function readText(source: Source, content: Span, span: Span, escapes: boolean): Text {
  const { text } = source;
  const whole = text.slice(content.start, content.end);
  if (!/[\\{}]/.test(whole)) return { kind: 'text', parts: whole === '' ? [] : [whole], span };

  const parts: (string | Reference)[] = [];
  let literal = '';
  let values = 0;
  let isFaulty = false;
  const report = (fault: Diagnostic): void => {
    isFaulty = true;
    source.report(fault);
  };
  for (let at = content.start; at < content.end; at++) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (character === '\\' && escapes) {
      const escaped = ESCAPES[next];
      literal += escaped ?? '\\';
      if (escaped !== undefined) at++;
    } else if ((character === '{' || character === '}') && next === character) {
      literal += character;
      at++;
    } else if (character === '{') {
      const close = text.indexOf('}', at);
      if (close === -1 || close >= content.end) {
        report(catalogue.loneBrace({ start: at, end: at + 1 }, '{'));
        break;
      }
      const written = text.slice(at + 1, close);
      const name = written.trim();
      if ((PLAIN_INTERPOLATION.test(name) || interpolation().test(name)) && !/-(?:\.|$)/.test(name)) {
        const start = at + 1 + written.indexOf(name);
        if (literal !== '') parts.push(literal);
        literal = '';
        const reference = toReference(name, { start, end: start + name.length });
        parts.push(reference);
        if (reference.fields.length > MOST_FIELDS) source.report(catalogue.pathTooLong(reference.span, MOST_FIELDS));
        if (++values === MOST_VALUES + 1) source.report(catalogue.tooManyValues(span, MOST_VALUES));
      } else {
        const hint = nameLike().test(name) ? nameHint(name) : undefined;
        report(catalogue.badInterpolation({ start: at, end: close + 1 }, written, hint));
      }
      at = close;
    } else if (character === '}') {
      report(catalogue.loneBrace({ start: at, end: at + 1 }, '}'));
    } else {
      literal += character;
    }
  }
  if (literal !== '') parts.push(literal);
  return isFaulty ? { kind: 'text', parts, span, isFaulty } : { kind: 'text', parts, span };
}
