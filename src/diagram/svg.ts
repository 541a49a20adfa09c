// Draws a diagram as SVG. Takes the data of `diagram.ts`, and the lines that a run or the cases have reached; gives the text of a picture that
// needs nothing else. Sizes come from the text, positions from the nesting: what comes later is below, and other ways are to the right.
import type { Diagram, DiagramNode } from './diagram.js';
import { Drawer, type DrawOptions } from './drawer.js';
import { Canvas, escaped, textWidth, wrap } from './svg-parts.js';
import { svgStyle } from './svg-style.js';

const MARGIN = 24;

/** Height of a drawing that is printed on one page: its texts are then at least as large as those of a footnote. */
const TALLEST_PAGE = 1_700;
const ON_ONE_PAGE = '\n@media print{.wf-drawing{max-width:100%;max-height:100vh}}';

interface SvgOptions extends DrawOptions {
  /** For a page that has the text as well, and `svgStyle` in a style sheet: the address of each line. */
  readonly linkOf?: (line: number) => string;
}

/** The picture as the text of an SVG file, or of an element of a page. */
export function drawSvg(diagram: Diagram, options: SvgOptions = {}): string {
  const drawer = new Drawer(options);
  const start = drawer.start(diagram.trigger);
  const all = drawer.sequence([start, ...drawer.pieces(diagram.nodes)], diagram.nodes.length === 0);
  const heading = wrap(diagram.name, 19, 700).slice(0, 2);
  const top = MARGIN + heading.length * 26 + 6;
  const headingWidth = Math.ceil(Math.max(...heading.map((text) => textWidth(text, 19) * 1.08)));
  const width = Math.ceil(Math.max(all.left + all.right, headingWidth) + 2 * MARGIN);
  const end = drawer.endsOpen(diagram) ? 34 : 0;
  const height = Math.ceil(top + all.height + end + MARGIN);
  const canvas = new Canvas(options.linkOf);
  // Above the trigger, so that whoever sees the beginning of a wide drawing sees what it is of.
  const headingAt = Math.max(MARGIN, Math.min(MARGIN + all.left - start.left, width - MARGIN - headingWidth));
  for (const [index, text] of heading.entries()) canvas.text(headingAt, MARGIN + 18 + index * 26, text, 'heading');
  const axis = MARGIN + all.left;
  all.draw(axis, top, canvas);
  if (end > 0) drawer.openEnd(axis, top + all.height, canvas);
  return `<svg xmlns="http://www.w3.org/2000/svg" class="wf-drawing" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="${options.linkOf === undefined ? 'img' : 'group'}" aria-labelledby="wf-title wf-desc">
<title id="wf-title">${escaped(diagram.name)}</title>
<desc id="wf-desc">${escaped(description(diagram))}</desc>
${options.linkOf === undefined ? `<style>${svgStyle}${height > TALLEST_PAGE ? '' : ON_ONE_PAGE}</style>\n` : ''}<rect class="page" width="${width}" height="${height}"/>
${canvas.content}
</svg>
`;
}

/** The workflow in sentences, for those who can't see the picture. */
function description({ trigger, nodes }: Diagram): string {
  const told: string[] = [];
  const tell = (inside: readonly DiagramNode[]): void => {
    for (const node of inside) {
      if (told.length > 60) return;
      if (node.kind === 'step') told.push(`Step ${node.text}`);
      else if (node.kind === 'complete' || node.kind === 'reject')
        told.push(`${node.kind === 'reject' ? 'reject with ' : ''}${node.text}`);
      else if (node.kind === 'call' || node.kind === 'ask' || node.kind === 'look up')
        told.push(`${node.text} (${node.service})`);
      else if (node.text !== '') told.push(node.text);
      if ('nodes' in node) tell(node.nodes);
      if ('lanes' in node)
        for (const lane of node.lanes) {
          if (lane.text !== '') told.push(lane.text);
          tell(lane.nodes);
        }
    }
  };
  tell(nodes);
  return `Starts ${trigger === '' ? 'on request' : trigger}. ${told.join('; ')}.`;
}
