// The shapes of a drawing, as text of SVG; everything that comes from a file is escaped here. Breaks text into lines of a width in pixels,
// without a browser to measure it: from the usual widths of letters in a sans serif font.

/** The use of a way: lit by a run, left aside by it, or never reached by a case. */
export type Light = 'plain' | 'lit' | 'faint' | 'missed';

// Control characters have no place in XML, however they are written. Half a character would not be one either.
const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export const escaped = (text: string): string =>
  text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** From below to above. What is lit lies above what crosses it. */
const LIGHTS: readonly Light[] = ['faint', 'missed', 'plain', 'lit'];

/** Whole pixels. What looks the same is written once: all lines of a kind are one path, and so are their tips. */
export class Canvas {
  readonly #frames: string[] = [];
  readonly #ways = new Map<string, string>();
  readonly #parts: string[] = [];
  readonly #linkOf: ((line: number) => string) | undefined;
  #closing = '';

  /** @param linkOf the address of a line of the file, if each part of the drawing leads to its line */
  constructor(linkOf?: (line: number) => string) {
    this.#linkOf = linkOf;
  }

  get content(): string {
    const kinds = [...LIGHTS.flatMap((light) => ['way', 'way trouble', 'tip'].map((kind) => classesOf(kind, light))), 'knot'];
    const ways = kinds.flatMap((kind) => {
      const way = this.#ways.get(kind);
      return way === undefined ? [] : [`<path class="${kind}" d="${way}"/>`];
    });
    return [...this.#frames, ...ways, ...this.#parts].join('\n');
  }

  /** Opens a group. `title` is what pointing at it says, where it does not show all. */
  open(kind: string, light: Light, line?: number, title?: string): void {
    const link = line === undefined ? undefined : this.#linkOf?.(line);
    const place = line === undefined ? '' : link === undefined ? ` data-line="${line}"` : ` href="${escaped(link)}"`;
    const name = link === undefined ? 'g' : 'a';
    this.#parts.push(
      `<${name} class="${classesOf(kind, light)}"${place}>${title === undefined ? '' : `<title>${escaped(title)}</title>`}`,
    );
    this.#closing = `</${name}>`;
  }

  close(): void {
    this.#parts.push(this.#closing);
  }

  /** Pieces inside it are drawn above it, wherever it is added. */
  frame(kind: string, area: Area): void {
    this.#frames.push(rectangle(`frame ${kind}`, area, 8));
  }

  box(area: Area, radius: number, classes = ''): void {
    this.#parts.push(rectangle(classes, area, radius));
  }

  /** A shape in the open group, as SVG writes it. */
  shape(path: string): void {
    this.#parts.push(`<path d="${path}"/>`);
  }

  /** Where ways part. */
  knot(x: number, y: number): void {
    this.#add('knot', `M${x} ${y - 7}l7 7-7 7-7-7z`);
  }

  /** A line of right angles through points, with round corners and perhaps an arrow at its end. */
  line(points: readonly number[], light: Light, isArrow: boolean, isTrouble = false): void {
    const corners = cornersOf(points);
    this.#add(classesOf(isTrouble ? 'way trouble' : 'way', light), bent(corners));
    if (isArrow) this.#add(classesOf('tip', light), tip(corners));
  }

  #add(kind: string, way: string): void {
    this.#ways.set(kind, (this.#ways.get(kind) ?? '') + way);
  }

  text(x: number, y: number, text: string, classes = ''): void {
    this.#parts.push(`<text${classes === '' ? '' : ` class="${classes}"`} x="${x}" y="${y}">${escaped(text)}</text>`);
  }
}

const classesOf = (kind: string, light: Light): string => (light === 'plain' ? kind : `${kind} ${light}`);

type Area = readonly [x: number, y: number, width: number, height: number];

const rectangle = (classes: string, [x, y, width, height]: Area, radius: number): string =>
  `<rect${classes === '' ? '' : ` class="${classes}"`} x="${x}" y="${y}" width="${width}" height="${height}"${radius === 0 ? '' : ` rx="${radius}"`}/>`;

type Point = readonly [number, number];

/** The points where a line begins, turns and ends. */
function cornersOf(points: readonly number[]): Point[] {
  const corners: Point[] = [];
  for (let index = 0; index < points.length; index += 2) {
    const [x = 0, y = 0, last, before] = [points[index], points[index + 1], corners.at(-1), corners.at(-2)];
    if (x === last?.[0] && y === last[1]) continue;
    if (last !== undefined && before !== undefined && (x === before[0] || y === before[1])) corners.pop();
    corners.push([x, y]);
  }
  return corners;
}

function bent(corners: readonly Point[]): string {
  const [[startX, startY] = [0, 0], ...others] = corners;
  let [atX, atY] = [startX, startY];
  let way = `M${atX} ${atY}`;
  const go = ([x, y]: Point): void => {
    if (x !== atX) way += `h${x - atX}`;
    if (y !== atY) way += `v${y - atY}`;
    [atX, atY] = [x, y];
  };
  for (const [index, corner] of others.entries()) {
    const next = others[index + 1];
    go(next === undefined ? corner : towards(corner, corners[index] ?? corner));
    if (next === undefined) break;
    const [toX, toY] = towards(corner, next);
    way += `q${[corner[0] - atX, corner[1] - atY, toX - atX, toY - atY].join(' ')}`;
    [atX, atY] = [toX, toY];
  }
  return way;
}

/** The tip of an arrow at the end of a line, one pixel beyond it. */
function tip(corners: readonly Point[]): string {
  const [[fromX, fromY] = [0, 0], [x, y] = [0, 0]] = corners.slice(-2);
  const [right, down] = [Math.sign(x - fromX), Math.sign(y - fromY)];
  const steps = [7 * right + 4 * down, 7 * down + 4 * right, 4 * down - 7 * right, 4 * right - 7 * down];
  return `M${x - 6 * right - 4 * down} ${y - 6 * down - 4 * right}l${steps.join(' ')}z`;
}

/** A point a few pixels from one point on the way to another. */
function towards([x, y]: Point, [toX, toY]: Point): Point {
  const step = Math.min(8, Math.floor(Math.hypot(toX - x, toY - y) / 2));
  return [x + Math.sign(toX - x) * step, y + Math.sign(toY - y) * step];
}

/** Pixels of a character at a size of one pixel, by what it looks like. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/[iljI.,:;'|!]/, 0.31],
  [/[ft()[\]{}r\-"/\\ ]/, 0.4],
  [/[mwMW@%—]/, 0.95],
  [/[A-Z&#<>+=~]/, 0.74],
  [/[\x21-\x7e·]/, 0.62],
];
/** Letters of other alphabets are wider, and most pictures are square. */
const OTHER = 1;

const known = new Map<string, number>();

function widthOf(character: string): number {
  let width = known.get(character);
  if (width === undefined) {
    width = widths.find(([pattern]) => pattern.test(character))?.[1] ?? (/^[\u00c0-\u052f]$/.test(character) ? 0.65 : OTHER);
    if (known.size < 1_000) known.set(character, width);
  }
  return width;
}

/** Pixels that a text takes on one line. */
export const textWidth = (text: string, size: number): number =>
  Array.from(text).reduce((sum, character) => sum + widthOf(character), 0) * size;

/** The text in lines that are no wider than `most` pixels. Breaks between words, and inside of one that is too long. */
export function wrap(text: string, size: number, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer, size) <= most) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const character of word) {
      if (line !== '' && textWidth(line + character, size) > most) {
        // A path breaks before one of its parts.
        const slash = line.lastIndexOf('/');
        const end = slash > 0 ? slash : line.length;
        lines.push(line.slice(0, end));
        line = line.slice(end);
      }
      line += character;
    }
  }
  return [...lines, line];
}
