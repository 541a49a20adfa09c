// Turns the nodes of a diagram into pieces of a picture: boxes as large as their text, frames around what is inside, ways side by side.
import { type Diagram, type DiagramNode, type Lane, nothingFollows } from './diagram.js';
import { type Canvas, type Light, textWidth, wrap } from './svg-parts.js';
import { asides, choice, fork, GAP, largest, type PlacedPart, sideBySide } from './ways.js';

export interface DrawOptions {
  /** Lines that a run has reached. The way through them is lit. */
  readonly lit?: ReadonlySet<number> | undefined;
  /** Lines that some case reaches. All others are grey. */
  readonly covered?: ReadonlySet<number> | undefined;
}

const FONT = 13;
const LINE = 18;
const PAD = 10;
const WIDEST = 250;
const NUMBER = 26;
/** Lines of one text that are shown; pointing at it shows all. */
const MOST_LINES = 5;

/** Gives each part of a diagram its size, and draws it where it is told to. */
export class Drawer {
  readonly #options: DrawOptions;

  constructor(options: DrawOptions) {
    this.#options = options;
  }

  #light(lines: readonly number[]): Light {
    const { lit, covered } = this.#options;
    if (lit !== undefined) return lines.some((line) => lit.has(line)) ? 'lit' : 'faint';
    return covered === undefined || lines.some((line) => covered.has(line)) ? 'plain' : 'missed';
  }

  start(trigger: string): PlacedPart {
    const text = trigger === '' ? 'a request arrives' : trigger;
    const light = this.#options.lit === undefined ? 'plain' : 'lit';
    return this.#box({ kind: 'start', rows: [{ text, line: undefined }], light, radius: 16, title: text });
  }

  /** Whether a run can come to the end of the file. */
  readonly endsOpen = ({ nodes }: Diagram): boolean => !nothingFollows(nodes);

  openEnd(x: number, y: number, canvas: Canvas): void {
    canvas.line([x, y, x, y + 20], 'plain', true);
    canvas.open('end', 'plain', undefined, 'The run ends');
    canvas.box([x - 14, y + 21, 28, 4], 2, 'fork');
    canvas.close();
  }

  /** Consecutive actions share a box. */
  pieces(nodes: readonly DiagramNode[]): PlacedPart[] {
    const pieces: PlacedPart[] = [];
    let together: DiagramNode[] = [];
    const flush = (): void => {
      if (together.length > 0) pieces.push(this.#actions(together));
      together = [];
    };
    for (const node of nodes) {
      const [above] = together;
      const isSame = node.kind === 'action' && (above === undefined || this.#light([above.line]) === this.#light([node.line]));
      if (!isSame) flush();
      if (node.kind === 'action') together.push(node);
      else pieces.push(this.#piece(node));
    }
    flush();
    return pieces;
  }

  #piece(node: DiagramNode): PlacedPart {
    const light = this.#light([node.line]);
    switch (node.kind) {
      case 'step':
        return this.#frame(node, light);
      case 'loop':
        return this.#loop(node, light);
      case 'choice':
        return node.isWhole ? sideBySide(this.#lanes(node.lanes), light, choice) : this.#asides(undefined, node.lanes, light);
      case 'together':
        return this.#together(node.text, node.lanes, light);
      case 'call':
      case 'ask':
      case 'look up':
      case 'message': {
        const service = node.kind === 'message' ? 'message' : node.service;
        const kind = node.kind === 'ask' ? 'ask' : node.kind === 'message' ? 'wait' : 'call';
        const box = this.#box({
          kind,
          caption: service,
          rows: [node],
          light,
          radius: node.kind === 'ask' ? 14 : 3,
          title: `${service}: ${node.text}`,
        });
        return node.lanes.length === 0 ? box : this.#asides(box, node.lanes, light);
      }
      case 'complete':
      case 'reject':
        return this.#end(node, light);
      case 'leave':
        return { ...this.#box({ kind: 'leave', rows: [node], light, radius: 14, title: node.text }), ends: true };
      default:
        return this.#box({ kind: node.kind, rows: [node], light, radius: 4, title: node.text });
    }
  }

  #actions(nodes: readonly DiagramNode[]): PlacedPart {
    const light = this.#light(nodes.map(({ line }) => line));
    return this.#box({ kind: 'action', rows: nodes, light, radius: 4, title: nodes.map(({ text }) => text).join('\n') });
  }

  #end(node: DiagramNode, light: Light): PlacedPart {
    const isReject = node.kind === 'reject';
    const text = isReject ? `reject: ${node.text}` : node.text;
    const box = this.#box({ kind: node.kind, rows: [{ ...node, text }], light, radius: isReject ? 0 : 18, title: text });
    if (!isReject) return { ...box, ends: true };
    const draw = (x: number, y: number, canvas: Canvas): void => box.draw(x, y + 3, canvas);
    return { ...box, left: box.left + 3, right: box.right + 3, height: box.height + 6, ends: true, draw };
  }

  #box(of: {
    readonly kind: string;
    readonly caption?: string;
    readonly rows: readonly { readonly text: string; readonly line: number | undefined }[];
    readonly light: Light;
    readonly radius: number;
    readonly title: string;
  }): PlacedPart {
    const { kind, caption, light, radius } = of;
    const rows = of.rows.map(({ text, line }) => ({ line, lines: wrap(text, FONT, WIDEST) }));
    const captions = caption === undefined ? [] : wrap(caption, 11, WIDEST);
    const isWhole = captions.length <= 2 && rows.every(({ lines }) => lines.length <= MOST_LINES);
    const heads = captions.slice(0, 2);
    const numbered = rows.some(({ line }) => line !== undefined) ? NUMBER : 0;
    const widest = largest(rows.flatMap(({ lines }) => shortened(lines).map((text) => textWidth(text, FONT))));
    const bars = kind === 'call' ? 6 : 0;
    const captionWidth = largest(heads.map((text) => textWidth(text, 11) * 1.08));
    const half = halfOf(Math.max(90, Math.max(widest, captionWidth) + 2 * PAD + numbered + 2 * bars));
    const height = rows.reduce((sum, { lines }) => sum + shortened(lines).length, heads.length) * LINE + PAD;
    const draw = (x: number, y: number, canvas: Canvas): void => {
      const [left, right] = [x - half, x + half];
      canvas.open(kind, light, rows.find(({ line }) => line !== undefined)?.line, isWhole ? undefined : of.title);
      canvas.box([left, y, 2 * half, height], radius);
      // A second border: it is different without colours, too.
      if (kind === 'reject') canvas.box([left - 3, y - 3, 2 * half + 6, height + 6], 2, 'rim');
      if (bars > 0) canvas.shape(`M${left + bars} ${y}v${height}M${right - bars} ${y}v${height}`);
      let baseline = y + PAD / 2 + LINE - 5;
      const from = left + PAD + bars;
      for (const text of heads) {
        canvas.text(from, baseline, text, 'caption');
        baseline += LINE;
      }
      for (const { lines, line } of rows) {
        if (line !== undefined) canvas.text(right - PAD - bars, baseline, String(line), 'number');
        for (const text of shortened(lines)) {
          canvas.text(from, baseline, text);
          baseline += LINE;
        }
      }
      canvas.close();
    };
    return { left: half, right: half, height, ends: false, light, draw };
  }

  /** @param isInside of a frame, which the line to the first piece has reached already */
  sequence(pieces: readonly PlacedPart[], isInside: boolean): PlacedPart {
    const left = Math.max(20, largest(pieces.map((piece) => piece.left)));
    const right = Math.max(20, largest(pieces.map((piece) => piece.right)));
    const height = pieces.reduce((sum, piece) => sum + piece.height, Math.max(0, pieces.length - 1) * GAP);
    const draw = (x: number, y: number, canvas: Canvas): void => {
      let top = y;
      for (const [index, piece] of pieces.entries()) {
        const above = pieces[index - 1];
        if (above !== undefined && !above.ends)
          canvas.line(
            [x, top - GAP, x, top - 1],
            piece.light === 'lit' && above.light !== 'lit' ? above.light : piece.light,
            true,
          );
        piece.draw(x, top, canvas);
        top += piece.height + GAP;
      }
    };
    const light = pieces[0]?.light ?? 'plain';
    return { left, right, height, ends: !isInside && (pieces.at(-1)?.ends ?? false), light, draw };
  }

  #frame(node: Extract<DiagramNode, { kind: 'loop' | 'step' }>, light: Light): PlacedPart {
    const pieces = this.pieces(node.nodes);
    const inner = this.sequence(pieces, true);
    const lines = wrap(node.text, FONT, Math.max(WIDEST, inner.left + inner.right));
    const title = lines.slice(0, 2);
    const head = title.length * LINE + 12;
    const titleWidth = Math.ceil(largest(title.map((text) => textWidth(text, FONT) * 1.08))) + NUMBER;
    const left = inner.left + 14;
    const right = Math.max(inner.right + 14, titleWidth + 28 - left);
    const height = head + inner.height + 14;
    const ends = nothingFollows(node.nodes);
    const draw = (x: number, y: number, canvas: Canvas): void => {
      canvas.frame('step', [x - left, y, left + right, height]);
      canvas.open('step', light, node.line, lines.length > 2 ? node.text : undefined);
      for (const [index, text] of title.entries()) canvas.text(x - left + 12, y + 20 + index * LINE, text);
      canvas.text(x + right - 10, y + 18, String(node.line), 'number');
      canvas.close();
      if (!ends) canvas.line([x, y + head + inner.height, x, y + height], pieces.at(-1)?.light ?? light, false);
      inner.draw(x, y + head, canvas);
    };
    return { left, right, height, ends, light, draw };
  }

  /** A frame with a line from its end back to its head. */
  #loop(node: Extract<DiagramNode, { kind: 'loop' | 'step' }>, light: Light): PlacedPart {
    const head = this.#condition(node.text, node.line, light, 'way');
    const body = this.sequence(this.pieces(node.nodes), true);
    const isBack = !nothingFollows(node.nodes);
    const left = Math.max(head.left, body.left) + 34;
    const right = Math.max(head.right, body.right) + 14;
    const height = 12 + head.height + GAP + body.height + (isBack ? 26 : 14);
    const draw = (x: number, y: number, canvas: Canvas): void => {
      canvas.frame('loop', [x - left, y, left + right, height]);
      const start = y + 12 + head.height;
      const end = start + GAP + body.height;
      canvas.line([x, start, x, start + GAP - 1], body.light, true);
      if (isBack) {
        const middle = y + 12 + head.height / 2;
        canvas.line(
          [x, end, x, end + 12, x - left + 14, end + 12, x - left + 14, middle, x - head.left - 1, middle],
          body.light,
          true,
        );
      }
      head.draw(x, y + 12, canvas);
      body.draw(x, start + GAP, canvas);
    };
    return { left, right, height, ends: false, light, draw };
  }

  /** The head of a way: a box with pointed sides. */
  #condition(text: string, line: number, light: Light, kind: Lane['kind']): PlacedPart {
    const all = wrap(text, FONT, WIDEST);
    const lines = shortened(all);
    const half = halfOf(Math.max(70, largest(lines.map((one) => textWidth(one, FONT))) + 30 + NUMBER));
    const height = lines.length * LINE + 8;
    const draw = (x: number, y: number, canvas: Canvas): void => {
      const [left, across, down] = [x - half, 2 * half - 18, height / 2];
      canvas.open(kind === 'trouble' ? 'lane trouble' : 'lane', light, line, all.length > MOST_LINES ? text : undefined);
      canvas.shape(`M${left} ${y + down}l9-${down}h${across}l9 ${down}-9 ${down}h-${across}z`);
      for (const [index, one] of lines.entries()) canvas.text(left + 14, y + 17 + index * LINE, one);
      canvas.text(x + half - 12, y + 16, String(line), 'number');
      canvas.close();
    };
    return { left: half, right: half, height, ends: false, light, draw };
  }

  #lane(lane: Lane): PlacedPart {
    const lines = lane.nodes.map(({ line }) => line);
    const light = this.#light(lines.length === 0 ? [lane.line] : lines);
    const head = lane.text === '' ? [] : [this.#condition(lane.text, lane.line, light, lane.kind)];
    const piece = this.sequence([...head, ...this.pieces(lane.nodes)], false);
    return { ...piece, ends: nothingFollows(lane.nodes), light };
  }

  #lanes(lanes: readonly Lane[]): PlacedPart[] {
    return lanes.map((lane) => this.#lane(lane));
  }

  #asides(box: PlacedPart | undefined, lanes: readonly Lane[], light: Light): PlacedPart {
    return asides(
      box,
      this.#lanes(lanes),
      light,
      lanes.map(({ kind }) => kind === 'trouble'),
    );
  }

  #together(text: string, lanes: readonly Lane[], light: Light): PlacedPart {
    const inner = sideBySide(this.#lanes(lanes), light, fork);
    const draw = (x: number, y: number, canvas: Canvas): void => {
      canvas.open('together', light);
      canvas.text(x + 10, y + 14, text);
      canvas.close();
      canvas.line([x, y, x, y + 22], light, false);
      inner.draw(x, y + 22, canvas);
    };
    return { ...inner, right: Math.max(inner.right, Math.ceil(textWidth(text, FONT)) + 20), height: inner.height + 22, draw };
  }
}

const shortened = (lines: readonly string[]): string[] =>
  lines.length <= MOST_LINES ? [...lines] : [...lines.slice(0, MOST_LINES - 1), `${lines[MOST_LINES - 1] ?? ''} …`];

/** Half of a width, so that its middle is a whole pixel. */
const halfOf = (width: number): number => Math.ceil(width / 2);
