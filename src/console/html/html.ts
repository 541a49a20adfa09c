// Text and values in, markup out. Everything that stands in a template's `${…}` is escaped; only markup that another template made
// passes as it is, so that a page cannot forget to escape.

/** Markup that is safe to send. Only `html` makes it. */
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
      // Inside an attribute a value must come back from a form exactly as it was; in running text, what cannot be seen is shown.
      const inAttribute = (strings[index] ?? '').endsWith('="');
      text += rendered(part, inAttribute ? escapeAttribute : escapeText) + (strings[index + 1] ?? '');
    }
    return new Html(text);
  }

  /** For the program's own style, icons and the like, never for anything from outside. */
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

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeAttribute = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/**
 * Control characters, and marks that turn the direction of what follows, could make a page show something else than it holds: they
 * are written out as U+202E.
 */
const escapeText = (text: string): string =>
  escapeAttribute(text).replace(
    UNSEEN,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );

const UNSEEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
