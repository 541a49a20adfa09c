// Drawings of workflows for tests, and what is in them.
import { checkFile } from '../../src/compiler/compile.js';
import { type Diagram, type DiagramNode, diagramOf } from '../../src/diagram/diagram.js';

export function diagramOfText(text: string): Diagram {
  const checked = checkFile(text, 'case.wf');
  return diagramOf(checked.workflow, checked.text, 'case');
}

/** All nodes, in the order of the file. */
export function* nodesIn(nodes: readonly DiagramNode[]): Iterable<DiagramNode> {
  for (const node of nodes) {
    yield node;
    if ('nodes' in node) yield* nodesIn(node.nodes);
    if ('lanes' in node) for (const lane of node.lanes) yield* nodesIn(lane.nodes);
  }
}

/** Faults of an XML text: elements that are not closed in turn, and signs that must be escaped. */
export function xmlFaults(text: string): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  for (const [, close, name = '', attributes = '', alone] of text.matchAll(/<(\/?)([\w-]+)((?: [\w:-]+="[^"<]*")*)(\/?)>/g)) {
    if (close === '/' && open.pop() !== name) faults.push(`</${name}>`);
    if (close !== '/' && alone !== '/') open.push(name);
    if (/&(?!#\d+;)/.test(attributes)) faults.push(attributes);
  }
  const rest = text.replace(/<style>[^<]*<\/style>/g, '').replace(/<\/?[\w-]+(?: [\w:-]+="[^"<]*")*\/?>/g, '');
  return [...faults, ...open, ...(rest.match(/[<>]|&(?!#\d+;)/g) ?? [])];
}
