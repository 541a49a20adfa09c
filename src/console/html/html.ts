// HTML templates. Escapes every value in a template's `${…}`, except for markup that another template created, so no page can forget to.
import { escapedHtml } from '../../../runtime/texts/escaped-html.js';

/** Markup that is safe to send. Only `html` creates it. */
export class Html {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  static of(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
    let text = strings[0] ?? '';
    for (const [index, part] of parts.entries()) {
      // A form must return the value of an attribute exactly. Running text shows invisible characters.
      const inAttribute = (strings[index] ?? '').endsWith('="');
      text += rendered(part, inAttribute ? escapedHtml : escapeText) + (strings[index + 1] ?? '');
    }
    return new Html(text);
  }

  /** For the program's own styles and icons, never for input. */
  static ofTrusted(text: string): Html {
    return new Html(text);
  }
}

/** `undefined`, `null` and `false` render as nothing. */
export type HtmlPart = Html | string | number | undefined | null | false | readonly HtmlPart[];

/** A template whose values are escaped: `` html`<p title="${name}">${name}</p>` ``. Attributes must be quoted with `"`. */
export const html = Html.of;

export const nothing: Html = html``;

function rendered(part: HtmlPart, escaped: (text: string) => string): string {
  if (part instanceof Html) return part.toString();
  if (part === undefined || part === null || part === false) return '';
  if (typeof part === 'string') return escaped(part);
  if (typeof part === 'number') return String(part);
  return part.map((item) => rendered(item, escaped)).join('');
}

/**
 * Writes out control characters and marks that change the direction of text, as U+202E. They could make a page look different from its
 * content.
 */
const escapeText = (text: string): string =>
  escapedHtml(text).replace(UNSEEN, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);

const UNSEEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** At most so many characters, cut between words where there are any. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > most / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

export const FORM_TOKEN = 'token';

export const formField = ({ formToken }: { readonly formToken: string }): Html =>
  html`<input type="hidden" name="${FORM_TOKEN}" value="${formToken}">`;

/** A command with a button that copies it. Without the script, the text can be selected. */
export const copyable = (command: string): Html => html`<pre class="copy" tabindex="0"><code>${command}</code></pre>`;

/** Bytes of a page, without its layout, its style sheet and its script. */
const MOST_OF_PAGE = 22_500;

/** Counts the rows that fit on a page: of long ones, fewer. @param above what else is on it */
export function fittingRows(rows: Iterable<Html>, least: number, above: Html = nothing): number {
  const bytes = (part: Html): number => Buffer.byteLength(part.toString());
  let [count, left] = [0, MOST_OF_PAGE - bytes(above)];
  for (const row of rows) {
    left -= bytes(row);
    if (left < 0) break;
    count++;
  }
  return Math.max(least, count);
}
