// The drawing of a workflow: complete, well-formed, escaped, and without boxes on top of each other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { statementsIn } from '../../src/compiler/2-parse/walk.js';
import { checkFile } from '../../src/compiler/compile.js';
import { type Diagram, type DiagramNode, diagramOf, nothingFollows } from '../../src/diagram/diagram.js';
import { drawMermaid } from '../../src/diagram/mermaid.js';
import { drawSvg } from '../../src/diagram/svg.js';
import { textWidth, wrap } from '../../src/diagram/svg-parts.js';
import { workflow } from '../commands/wf.js';
import { corpus } from '../compiler/corpus.js';
import { runs, seed } from '../root.js';

// Drawings of workflows for tests, and what is in them.

function diagramOfText(text: string): Diagram {
  const checked = checkFile(text, 'case.wf');
  return diagramOf(checked.workflow, checked.text, 'case');
}

/** All nodes, in the order of the file. */
function* nodesIn(nodes: readonly DiagramNode[]): Iterable<DiagramNode> {
  for (const node of nodes) {
    yield node;
    if ('nodes' in node) yield* nodesIn(node.nodes);
    if ('lanes' in node) for (const lane of node.lanes) yield* nodesIn(lane.nodes);
  }
}

/** Faults of an XML text: elements that are not closed in turn, and signs that must be escaped. */
function xmlFaults(text: string): string[] {
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

test('each statement of each fixture is in the drawing', () => {
  for (const { name, text } of corpus()) {
    const lines = new Set([...nodesIn(diagramOfText(text).nodes)].map(({ line }) => line));
    for (const { line, kind } of statementsIn(checkFile(text, name).workflow.body))
      assert.ok(lines.has(line), `${name}: line ${line}: ${kind}`);
  }
});

test('a condition that nobody can read stands in the drawing as it was written', () => {
  const drawn = diagramOfText(
    workflow('    if x is abve 3:\n        log "a"\n    otherwise if x is:\n        log "b"\n    otherwise:\n        log "c"'),
  );
  const lanes = [...nodesIn(drawn.nodes)].flatMap((node) => ('lanes' in node ? node.lanes.map(({ text }) => text) : []));
  assert.deepEqual(lanes, ['if x is abve 3', 'otherwise if x is', 'otherwise']);
});

interface Rect {
  readonly line: string;
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly bottom: number;
}

/** The boxes and conditions of a picture. Rims and bars belong to a box. */
function boxesOf(svg: string): Rect[] {
  const boxes: Rect[] = [];
  for (const [, line = '', x, y, width, height] of svg.matchAll(
    /data-line="(\d+)">(?:<title>[^<]*<\/title>)?\n<rect x="(-?\d+)" y="(-?\d+)" width="(\d+)" height="(\d+)"/g,
  ))
    boxes.push({ line, x: Number(x), y: Number(y), right: Number(x) + Number(width), bottom: Number(y) + Number(height) });
  for (const [, line = '', x, y, across, down] of svg.matchAll(
    /data-line="(\d+)">(?:<title>[^<]*<\/title>)?\n<path d="M(-?\d+) (-?\d+)l9-\d+h(\d+)l9 (\d+)/g,
  )) {
    const [left, middle, half] = [Number(x), Number(y), Number(down)];
    boxes.push({ line, x: left, y: middle - half, right: left + Number(across) + 18, bottom: middle + half });
  }
  return boxes;
}

test('boxes lie side by side or below each other, and inside of the picture', () => {
  for (const { name, text } of corpus()) {
    const svg = drawSvg(diagramOfText(text));
    assert.deepEqual(xmlFaults(svg), [], name);
    const [, width = '', height = ''] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
    const boxes = boxesOf(svg);
    assert.equal(boxes.length, (svg.match(/<g class="(?!step)[\w ]+" data-line=/g) ?? []).length, name);
    for (const [index, one] of boxes.entries()) {
      assert.ok(
        one.x >= 0 && one.y >= 0 && one.right <= Number(width) && one.bottom <= Number(height),
        `${name}: line ${one.line}`,
      );
      for (const other of boxes.slice(index + 1)) {
        const isApart = one.right <= other.x || other.right <= one.x || one.bottom <= other.y || other.bottom <= one.y;
        assert.ok(isApart, `${name}: lines ${one.line} and ${other.line} overlap`);
      }
    }
  }
});

test('whatever texts contain, the picture is well-formed and holds nothing foreign', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (raw) => {
      const quoted = raw.replace(/[\\"{}\n\r\0]/g, ' ');
      const diagram = diagramOfText(workflow(`    step Do it:\n        log "${quoted}"\n    reject with "<script>&${quoted}"`));
      const svg = drawSvg({ ...diagram, name: raw, trigger: raw });
      assert.deepEqual(xmlFaults(svg), []);
      assert.doesNotMatch(svg, /<script|[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
      const mermaid = drawMermaid({ ...diagram, name: raw, trigger: raw });
      for (const line of mermaid.trimEnd().split('\n').slice(1))
        assert.match(
          line,
          /^ {4}(?:subgraph \w+\["[^"<>&]*"\]|end|n\d+[^"<>&]*"[^"<>&]*"[^"<>&]*|n\d+ -->(?:\|"[^"<>&]*"\|)? n\d+)$/u,
        );
    }),
    { seed: seed(41), numRuns: runs(300) },
  );
});

test('a long drawing is small', () => {
  const part =
    '    if request.total is above 3:\n        log "The total is {request.total}"\n        reject with "too much of it"\n';
  const text = workflow(`${part.repeat(500)}    complete`);
  const svg = drawSvg(diagramOfText(text));
  assert.ok(svg.length < 320 * text.split('\n').length, String(svg.length / text.split('\n').length));
});

test('a text that is cut off is whole where one points at it', () => {
  const long = 'word '.repeat(60).trim();
  const svg = drawSvg(diagramOfText(workflow(`    log "${long}"\n    log "short"\n    reject with "short"`)));
  assert.deepEqual(
    [...svg.matchAll(/<title>([^<]*)</g)].map(([, title]) => title),
    [`log ${long}\nlog short`],
  );
});

test('a way is lit, or grey if no case reaches it', () => {
  const diagram = diagramOfText(workflow('    if request.a:\n        reject with "no"\n    complete'));
  const groups = (svg: string): string[] =>
    [...svg.matchAll(/<g class="([\w ]+)" data-line="(\d+)"/g)].map(([, kind, line]) => `${line} ${kind}`);
  assert.deepEqual(groups(drawSvg(diagram)), ['8 lane', '9 reject', '10 complete']);
  assert.deepEqual(groups(drawSvg(diagram, { lit: new Set([8, 10]) })), ['8 lane faint', '9 reject faint', '10 complete lit']);
  assert.deepEqual(groups(drawSvg(diagram, { covered: new Set([8, 9]) })), ['8 lane', '9 reject', '10 complete missed']);
});

test('Mermaid: the next round follows "skip", and what is below the loop follows "stop the loop"', () => {
  const body =
    '    for each x in request.list:\n        if x.a:\n            skip\n        if x.b:\n            stop the loop\n    complete';
  assert.equal(
    drawMermaid(diagramOfText(workflow(body))).replace(/.*n2\{\{/s, 'n2{{'),
    `n2{{"for each x in request.list"}}
    n1 --> n2
    n3{"if x.a"}
    n2 -->|"each round"| n3
    n4>"skip"]
    n3 -->|"yes"| n4
    n4 --> n2
    n5{"if x.b"}
    n3 -->|"no"| n5
    n6>"stop the loop"]
    n5 -->|"yes"| n6
    n5 -->|"no"| n2
    n7(["complete"])
    n2 -->|"then"| n7
    n6 --> n7
`,
  );
});

test('ends: nothing follows a way that always ends', () => {
  const endsOf = (body: string): boolean => nothingFollows(diagramOfText(workflow(body)).nodes);
  assert.equal(endsOf('    if request.a:\n        complete\n    otherwise:\n        reject with "no"'), true);
  assert.equal(endsOf('    if request.a:\n        complete'), false);
  assert.equal(endsOf('    for each x in request.list:\n        complete'), false);
  assert.equal(endsOf('    step A:\n        complete'), true);
});

test('a file with errors is drawn, too', () => {
  const diagram = diagramOfText(
    workflow('    step A:\n        sett x to 1\n        if request.a is\n            log "x"\n    complete'),
  );
  assert.deepEqual(
    [...nodesIn(diagram.nodes)].map(({ kind }) => kind),
    ['step', 'unreadable', 'choice', 'action', 'complete'],
  );
  assert.deepEqual(xmlFaults(drawSvg(diagram)), []);
});

test('text is wrapped to its width, also without spaces', () => {
  for (const line of wrap(`a ${'wide '.repeat(20)}${'x'.repeat(200)} 東京東京東京東京東京`, 13, 100))
    assert.ok(textWidth(line, 13) <= 100, line);
  assert.equal(wrap('ab cd', 13, 1000).join('|'), 'ab cd');
  assert.deepEqual(wrap('/customers/{payment.customer}/disputes/count', 13, 250), [
    '/customers/{payment.customer}',
    '/disputes/count',
  ]);
});

test('the heading of a wide drawing is where its way begins', () => {
  const lane =
    'if request.a is 1:\n        log "a"\n    otherwise if request.a is 2:\n        log "b"\n    otherwise:\n        log "c"';
  const svg = drawSvg(diagramOfText(workflow(`    ${lane}`)));
  const [heading, trigger] = [/class="heading" x="([\d.]+)"/, /class="start[^>]*>.*?<rect x="([\d.]+)"/s].map((at) =>
    Number(at.exec(svg)?.[1]),
  );
  assert.equal(heading, trigger);
});
