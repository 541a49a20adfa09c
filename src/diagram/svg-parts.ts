// The shapes of a drawing, as text of SVG. Everything that comes from a file is escaped here.

/** How much of a way is taken: lit by a run, left aside by it, or never reached by a case. */
export type Light = 'plain' | 'lit' | 'faint' | 'missed';

const rounded = (value: number): string => String(Math.round(value * 10) / 10);

// Control characters have no place in XML, however they are written. Half a character would not be one either.
const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export const escaped = (text: string): string =>
  text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

export class Canvas {
  readonly #parts: string[] = [];
  readonly #linkOf: ((line: number) => string) | undefined;
  #isInLink = false;

  /** @param linkOf the address of a line of the file, if each part of the drawing leads to its line */
  constructor(linkOf?: (line: number) => string) {
    this.#linkOf = linkOf;
  }

  get content(): string {
    return this.#parts.join('\n');
  }

  /** Opens a group; `title` is what pointing at it, or a screen reader, says. */
  open(classes: string, line: number | undefined, title?: string): void {
    const place = line === undefined ? '' : ` data-line="${line}"`;
    // The frame of a loop has no words of its own. Its head has, and leads to the same line.
    this.#isInLink = line !== undefined && this.#linkOf !== undefined && !classes.startsWith('loop ');
    if (this.#isInLink) this.#parts.push(`<a href="${escaped(this.#linkOf?.(line ?? 0) ?? '')}">`);
    this.#parts.push(`<g class="${classes}"${place}>${title === undefined ? '' : `<title>${escaped(title)}</title>`}`);
  }

  close(): void {
    this.#parts.push(this.#isInLink ? '</g></a>' : '</g>');
    this.#isInLink = false;
  }

  box(classes: string, x: number, y: number, width: number, height: number, radius: number): void {
    const [left, top, across, down] = [x, y, width, height].map(rounded);
    this.#parts.push(`<rect class="${classes}" x="${left}" y="${top}" width="${across}" height="${down}" rx="${radius}"/>`);
  }

  /** A closed shape through points: x, y, x, y. */
  shape(classes: string, points: readonly number[]): void {
    this.#parts.push(`<path class="${classes}" d="M${points.map(rounded).join(' ')}Z"/>`);
  }

  /** A line of right angles through points, with round corners and perhaps an arrow at its end. */
  line(points: readonly number[], light: Light, isArrow: boolean, more = ''): void {
    const corners: Point[] = [];
    for (let index = 0; index < points.length; index += 2) {
      const [x = 0, y = 0, lastX, lastY] = [points[index], points[index + 1], ...(corners.at(-1) ?? [])];
      if (x !== lastX || y !== lastY) corners.push([x, y]);
    }
    const way = corners.map((corner, index) => bend(corner, corners[index - 1], corners[index + 1])).join('');
    const arrow = isArrow ? ` marker-end="url(#${light === 'lit' ? 'wf-arrow-lit' : 'wf-arrow'})"` : '';
    this.#parts.push(`<path class="way ${light}${more === '' ? '' : ` ${more}`}" d="${way}"${arrow}/>`);
  }

  text(classes: string, x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end' = 'start'): void {
    const side = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
    this.#parts.push(`<text class="${classes}" x="${rounded(x)}" y="${rounded(y)}"${side}>${escaped(text)}</text>`);
  }
}

type Point = readonly [number, number];

/** The part of a path at one of its corners. */
function bend([x, y]: Point, before: Point | undefined, after: Point | undefined): string {
  if (before === undefined) return `M${rounded(x)} ${rounded(y)}`;
  if (after === undefined) return `L${rounded(x)} ${rounded(y)}`;
  const [fromX, fromY] = towards([x, y], before);
  const [toX, toY] = towards([x, y], after);
  return `L${rounded(fromX)} ${rounded(fromY)}Q${rounded(x)} ${rounded(y)} ${rounded(toX)} ${rounded(toY)}`;
}

/** A point a few pixels from one point on the way to another. */
function towards([x, y]: Point, [toX, toY]: Point): Point {
  const distance = Math.hypot(toX - x, toY - y);
  const step = Math.min(8, distance / 2);
  return [x + ((toX - x) / distance) * step, y + ((toY - y) / distance) * step];
}
