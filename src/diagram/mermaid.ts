// Writes a diagram as a Mermaid flowchart, for pages that draw those themselves.
import { type Diagram, type DiagramNode, type Lane, nothingFollows } from './diagram.js';

/** Everything but letters, digits and harmless signs, as the entities of Mermaid. */
const label = (text: string): string =>
  `"${text.replace(/\s+/g, ' ').replace(/[^\p{L}\p{N} .,:;!?()+*/%=_'·{}-]/gu, (sign) => `#${sign.codePointAt(0)};`)}"`;

/** An arrow that has not reached its end: where it starts, and what is written on it. */
interface Loose {
  readonly from: string;
  readonly text: string;
}

/** The text of a flowchart. */
export function drawMermaid({ trigger, nodes }: Diagram): string {
  const writer = new FlowWriter();
  const start = writer.node('([', trigger === '' ? 'a request arrives' : trigger, '])');
  const loose = writer.nodes(nodes, [{ from: start, text: '' }]);
  if (!nothingFollows(nodes)) writer.join(loose, writer.node('((', 'end', '))'));
  return `flowchart TD\n${writer.lines.map((line) => `    ${line}`).join('\n')}\n`;
}

class FlowWriter {
  readonly lines: string[] = [];
  #count = 0;

  node(open: string, text: string, close: string): string {
    const id = `n${++this.#count}`;
    this.lines.push(`${id}${open}${label(text)}${close}`);
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
      const id = this.node(open, text, close);
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
        this.join(this.nodes(node.nodes, [{ from: head, text: 'each round' }]), head);
        return [{ from: head, text: 'then' }];
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
      case 'leave':
        place('>', node.text, ']');
        return [];
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
      const id = this.node('{', lane.text.replace(/^otherwise /, ''), '}');
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
