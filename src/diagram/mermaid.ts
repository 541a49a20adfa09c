// Writes a diagram as a Mermaid flowchart, for pages that draw those themselves.
import { type Diagram, type DiagramNode, type Lane, nothingFollows } from './diagram.js';
import type { DrawOptions } from './drawer.js';

/** Everything but letters, digits and harmless signs, as the entities of Mermaid. */
const label = (text: string): string =>
  `"${text.replace(/\s+/g, ' ').replace(/[^\p{L}\p{N} .,:;!?()+*/%=_'·{}-]/gu, (sign) => `#${sign.codePointAt(0)};`)}"`;

/** An arrow that has not reached its end: where it starts, and what is written on it. */
interface Loose {
  readonly from: string;
  readonly text: string;
}

/** How nodes look that a run has reached, and those that no case reaches. */
const LIT = 'stroke-width:4px';
const MISSED = 'fill:#eee,stroke:#bbb,color:#666';

/** The text of a flowchart. */
export function drawMermaid({ trigger, nodes }: Diagram, { lit, covered }: DrawOptions = {}): string {
  const writer = new FlowWriter();
  const start = writer.node('([', trigger === '' ? 'a request arrives' : trigger, '])');
  const loose = writer.nodes(nodes, [{ from: start, text: '' }]);
  if (!nothingFollows(nodes)) writer.join(loose, writer.node('((', 'end', '))'));
  const marked = (how: string, isMarked: (line: number) => boolean): string[] => {
    const ids = [...writer.lineOf].filter(([, line]) => isMarked(line)).map(([id]) => id);
    return ids.length === 0 ? [] : [`classDef marked ${how}`, `class ${ids.join(',')} marked`];
  };
  const lines = [
    ...writer.lines,
    ...(lit === undefined ? [] : marked(LIT, (line) => lit.has(line))),
    ...(covered === undefined ? [] : marked(MISSED, (line) => !covered.has(line))),
  ];
  return `flowchart TD\n${lines.map((line) => `    ${line}`).join('\n')}\n`;
}

class FlowWriter {
  readonly lines: string[] = [];
  readonly lineOf = new Map<string, number>();
  /** Of each loop around the place: its head, and the arrows that leave it early. */
  readonly #loops: { readonly head: string; readonly left: Loose[] }[] = [];
  #count = 0;

  node(open: string, text: string, close: string, line?: number): string {
    const id = `n${++this.#count}`;
    this.lines.push(`${id}${open}${label(text)}${close}`);
    if (line !== undefined) this.lineOf.set(id, line);
    return id;
  }

  join(from: readonly Loose[], to: string): void {
    for (const { from: id, text } of from) this.lines.push(`${id} -->${text === '' ? '' : `|${label(text)}|`} ${to}`);
  }

  /** Draws nodes below each other; gives the arrows that leave the last one. */
  nodes(nodes: readonly DiagramNode[], from: readonly Loose[]): readonly Loose[] {
    let loose = from;
    for (const node of nodes) loose = this.#draw(node, loose);
    return loose;
  }

  #draw(node: DiagramNode, from: readonly Loose[]): readonly Loose[] {
    const place = (open: string, text: string, close: string): string => {
      const id = this.node(open, text, close, node.line);
      this.join(from, id);
      return id;
    };
    switch (node.kind) {
      case 'step': {
        this.lines.push(`subgraph s${++this.#count}[${label(node.text)}]`);
        const loose = this.nodes(node.nodes, from);
        this.lines.push('end');
        return loose;
      }
      case 'loop': {
        const head = place('{{', node.text, '}}');
        const left: Loose[] = [];
        this.#loops.push({ head, left });
        this.join(this.nodes(node.nodes, [{ from: head, text: 'each round' }]), head);
        this.#loops.pop();
        return [{ from: head, text: 'then' }, ...left];
      }
      case 'choice':
        return this.#choice(node.lanes, from, node.isWhole);
      case 'together': {
        const fork = place('[/', node.text, '/]');
        return node.lanes.flatMap((lane) => this.nodes(lane.nodes, [{ from: fork, text: '' }]));
      }
      case 'complete':
      case 'reject':
        place('([', node.kind === 'reject' ? `reject: ${node.text}` : node.text, '])');
        return [];
      case 'leave': {
        const from = place('>', node.text, ']');
        const loop = this.#loops.at(-1);
        if (node.text === 'skip' && loop !== undefined) this.join([{ from, text: '' }], loop.head);
        if (node.text === 'stop the loop') loop?.left.push({ from, text: '' });
        return [];
      }
      case 'call':
      case 'ask':
      case 'look up':
        return this.#withTrouble(place('[[', `${node.service}: ${node.text}`, ']]'), node.lanes);
      case 'message':
        return this.#withTrouble(place('[[', node.text, ']]'), node.lanes);
      default:
        return [{ from: place('[', node.text, ']'), text: '' }];
    }
  }

  #choice(lanes: readonly Lane[], from: readonly Loose[], isWhole: boolean): readonly Loose[] {
    const ends: Loose[] = [];
    let loose = from;
    for (const [index, lane] of lanes.entries()) {
      if (isWhole && index === lanes.length - 1) return [...ends, ...this.nodes(lane.nodes, loose)];
      const id = this.node('{', lane.text.replace(/^otherwise /, ''), '}', lane.line);
      this.join(loose, id);
      ends.push(...this.nodes(lane.nodes, [{ from: id, text: 'yes' }]));
      loose = [{ from: id, text: 'no' }];
    }
    return [...ends, ...loose];
  }

  #withTrouble(from: string, lanes: readonly Lane[]): readonly Loose[] {
    return [{ from, text: '' }, ...lanes.flatMap((lane) => this.nodes(lane.nodes, [{ from, text: lane.text }]))];
  }
}
