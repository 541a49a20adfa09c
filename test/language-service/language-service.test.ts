// What editors show: completion, hover, names, outline, colours and fixes, in whole files and in unfinished ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkFile } from '../../src/compiler/compile.js';
import { applyEdits } from '../../src/compiler/diagnostics/working-fixes.js';
import { coloursOf } from '../../src/language-service/colours.js';
import { complete } from '../../src/language-service/complete.js';
import { WfDocument } from '../../src/language-service/document.js';
import { hover, inlayHints } from '../../src/language-service/hover.js';
import { foldsOf, outlineOfFile } from '../../src/language-service/outline.js';
import { additionsAt, fixAll, fixesFor } from '../../src/language-service/quick-fixes.js';
import { rename } from '../../src/language-service/rename.js';
import { rulesOf, rulesText } from '../../src/rules/rules.js';
import { workflow } from '../commands/wf.js';
import { corpus, corpusAlone } from '../compiler/corpus.js';
import { runs, seed } from '../root.js';

/** A document, and the offset of the bar in its text. */
function at(text: string): { readonly document: WfDocument; readonly offset: number } {
  const offset = text.indexOf('¦');
  return { document: new WfDocument(text.replace('¦', ''), 'case.wf'), offset };
}
const labels = (text: string): string[] => {
  const { document, offset } = at(text);
  return complete(document, offset).items.map(({ label }) => label);
};
const withServices = (body: string): string =>
  workflow(body).replace(
    'workflow:',
    'services:\n    Stock is an API at "https://stock.example.com"\n    Boss is a person\n\nworkflow:',
  );

test('completion: at each place what the grammar allows there', () => {
  const has = (body: string, wanted: readonly string[], others: readonly string[] = []): void => {
    const found = labels(withServices(body));
    assert.deepEqual(
      wanted.filter((one) => !found.includes(one)),
      [],
      `${body}: ${found.join(', ')}`,
    );
    assert.deepEqual(
      others.filter((one) => found.includes(one)),
      [],
      body,
    );
  };
  has('    ¦', ['set', 'if', 'for', 'look up', 'wait', 'at the same time', 'complete'], ['retry', 'save the result as', 'is']);
  has('    if request.a ¦', ['is above', 'contains', 'and', 'plus', 'exists'], ['above', 'if']);
  has('    if request.a is ab¦', ['above', 'at least', 'not', 'between'], ['is above']);
  has('    wait 5 ¦', ['seconds', 'days', 'working days'], ['plus', 'set']);
  has('    set later to 5\n    get stock using ¦', ['Stock', 'Boss'], ['later', 'if']);
  has('    ask ¦', ['Boss'], ['Stock']);
  has('    get stock using Stock\n        ¦', ['save the result as', 'on', 'at most once'], ['set']);
  has('    get stock using Stock\n        on failure:\n            ¦', ['retry', 'set', 'log'], ['save the result as']);
  has('    set early to 1\n    log ¦\n    set late to 2', ['early', 'request', 'today', 'count of'], ['late']);
  has('    for each line in request.lines:\n        log ¦', ['line']);
  has('    for each line in request.lines:\n        log 1\n    log ¦', ['request'], ['line']);
  has('    set total to 1\n    log "It is {¦', ['total'], ['if']);
  has('    get stock using Stock\n        on failure:\n            log failure.¦', ['message', 'status']);
  has('    log request.customer.name\n    log request.customer.¦', ['name']);
  has('    log "plain" # ¦', []);
  has('    log "¦', [], ['request']);
  has('    set share to request.part divided ¦', ['by'], ['using']);
  has('    step Read ¦', [], ['using']);
  has('    look up customer ¦', ['in', 'and', 'using']);
  has('    get stock using Stock\n        with headers:\n            X-Total: ¦', ['request', 'count of'], ['set']);
  has('    ask Boss to:\n        Is it so?\n        save ¦', ['the result as', 'the person as'], ['request']);
});

test('completion: items of lists, and their fields, in lines that are not finished', () => {
  const inputs =
    'inputs:\n    orders is a list of records:\n        sku is a text\n        kind is one of "new", "used"\n\nworkflow:';
  const has = (body: string, wanted: readonly string[], isAll = false): void => {
    const found = labels(withServices(body).replace('workflow:', inputs));
    assert.deepEqual(
      isAll ? found : wanted.filter((one) => !found.includes(one)),
      isAll ? wanted : [],
      `${body}: ${found.join(', ')}`,
    );
  };
  const declared = ['sku', 'kind'];
  has('    set new to each order in request.orders where ¦', ['order', 'request', 'not']);
  has('    set new to each order in request.orders where order.¦', declared, true);
  has('    if some order in request.orders satisfies order.¦', declared, true);
  has('    log (order.¦ for each order in request.orders)', declared, true);
  has('    for each order in request.orders where order.¦:\n        log order', declared, true);
  has('    set skus to unique of request.orders.¦', ['count', ...declared], true);
  has(
    '    set new to each order in request.orders where order.kind is "new"\n    set first-new to first of new\n    log first-new.¦',
    declared,
  );
  has('    log request.orders sorted by ¦', declared, true);
  has('    log (each order in request.orders where order.sku is "A") grouped by ¦', declared, true);
  has('    for each group in (request.orders grouped by kind) sorted by ¦', ['key', 'items'], true);
  has('    for each group in request.orders grouped by kind:\n        log group.items.0.¦', declared, true);
  const list =
    '    get list using Stock\n        save the result as rows\n    log sum of rows.price\n    log rows sorted by day\n';
  has(`${list}    for each row in rows:\n        log row.¦`, ['price', 'day']);
  has(`${list}    log each row in rows where row.level is above 3\n    log average of rows.¦`, [
    'price',
    'day',
    'level',
    'count',
  ]);
  has(`${list}    set group to (rows grouped by day)\n    log group.0.¦`, ['key', 'items']);
  has('    add record with a 1 and b 2 to made\n    for each one in made:\n        log one.¦', ['a', 'b'], true);
  has('    for each order in request.orders:\n        if order.kind is ¦', ['"new"', '"used"', 'not']);
  has('    for each order in request.orders:\n        if order.kind is one of ["new", "¦', ['new', 'used'], true);
  has(
    '    ask Boss to choose\n        choose from "yes", "no"\n        save the result as word\n    if word is not "¦"',
    ['yes', 'no'],
    true,
  );
});

test('completion: tables, and the names of values', () => {
  const table = 'tables:\n    Fees:\n        | kind is | fee |\n        | "new" | 5 |\n';
  const of = (body: string): string[] =>
    labels(
      withServices(body)
        .replace('    Boss', '    Post is a mail server at "smtp://mail.example.com"\n    Boss')
        .replace('workflow:', `${table}\nworkflow:`),
    );
  assert.deepEqual(of('    look up fee in Fees with ¦'), ['kind']);
  const column = (body: string): string[] => of(body).filter((label) => ['kind', 'fee'].includes(label));
  for (const line of ['look up ¦', 'look up ¦ in Fees with kind "new"', 'look up total and ¦', 'look up total, ¦ in Fees'])
    assert.deepEqual(column(`    ${line}`), ['fee'], line);
  for (const line of ['look up fee and ¦', 'look up ¦ in Other with kind "new"'])
    assert.deepEqual(column(`    ${line}`).slice(1), [], line);
  assert.ok(of('    send mail using Post with to "a@b.example" and ¦').includes('subject'));
  assert.deepEqual(of('    set total to 1\n    complete with ¦'), ['total']);
  const cell = (row: string): string[] => labels(`${table}${row}\n\nworkflow:\n    trigger: x\n    complete\n`);
  for (const word of ['any', 'empty', 'one of', 'at least', 'true']) assert.ok(cell('        | ¦ | 7 |').includes(word), word);
  assert.ok(labels('tables:\n    Fees:\n        | total is ¦ | fee |\n').includes('at least'));
});

test('completion: fields that only test cases know', () => {
  const known = JSON.stringify({
    cases: [
      {
        input: { customer: { name: 'Ada' }, total: 1 },
        mocks: {
          Stock: { 'get stock': { inTurn: [{ status: 503 }, { status: 200, body: { level: 4 } }] }, 'get other': { no: 1 } },
        },
        messages: { payment: { after: '1 day', message: { paid: 5 } } },
      },
      'nonsense',
    ],
  });
  const fields = (body: string, cases = known): string[] => {
    const { document, offset } = at(withServices(body));
    return complete(document, offset, cases).items.map(({ label }) => label);
  };
  assert.deepEqual(fields('    log request.¦'), ['customer', 'total']);
  assert.deepEqual(fields('    log request.customer.¦'), ['name']);
  assert.deepEqual(fields('    get stock using Stock\n        save the result as shelf\n    log shelf.¦'), ['level']);
  assert.deepEqual(fields('    wait for payment at most 3 days\n        save the message as paid\n    log paid.¦'), ['paid']);
  assert.deepEqual(fields('    log request.¦', '{'), []);
});

test('completion: every word of every fixture is expected where it stands', () => {
  let count = 0;
  for (const { name, text } of corpus().slice(0, 60)) {
    const document = new WfDocument(text, name);
    for (const line of document.byNumber.values()) {
      const section = /^(\w+):/.exec(text.slice(line.start, line.end));
      if ((line.depth === 0 && section === null) || text.slice(line.start, line.end).includes(' using ')) continue;
      const [start = 0, end = 0] = line.offsets;
      const word = text.slice(start, end);
      if (!/^(if|set|log|for|repeat|complete|reject|step|wait|otherwise|on|save|add|retry)$/.test(word)) continue;
      const found = complete(document, start).items.map(({ label }) => label);
      assert.ok(
        found.some((label) => label.split(/[ :]/)[0] === word),
        `${name}, line ${line.number}: ${word} of ${found.join(', ')}`,
      );
      count++;
    }
  }
  assert.ok(count > 200);
});

const order = workflow(
  '    set total to request.amount times 2\n    for each line in request.lines:\n        log "{line.sku}: {total}"\n    each total\n    complete with total total',
).replace(
  'workflow:',
  'inputs:\n    amount is a number from 0 to 10000\n    lines is a list of records:\n        sku is a text\n\nworkflow:',
);
const place = (part: string, inside = 0): number => order.indexOf(part) + inside;

test('hover, definition and references, also on lines that can not be parsed', () => {
  const document = new WfDocument(order, 'case.wf');
  assert.match(hover(document, place('request.amount', 9))?.markdown ?? '', /a number from 0 to 10000/);
  assert.match(hover(document, place('set total', 5))?.markdown ?? '', /A variable: a number/);
  assert.match(hover(document, place('for each', 1))?.markdown ?? '', /once for each item/);
  assert.equal(hover(document, order.length), undefined);
  const total = document.nameAt(place('{total}', 2)) ?? assert.fail();
  assert.equal(document.definitionOf(total)?.span.start, place('set total', 4));
  assert.deepEqual(
    document.placesOf(total).map(({ span }) => document.lineMap.lineAt(span.start)),
    [13, 15, 16, 17],
  );
  assert.deepEqual(
    inlayHints(document).map(({ label }) => label),
    ['a number'],
  );
});

test('a condition with a mistake keeps its names, also after "otherwise if"', () => {
  const text = workflow(
    '    set cost to 1\n    if cost is abov 2:\n        log "a"\n    otherwise if cost is beneath 3:\n        log "b"\n    complete with cost cost',
  );
  const document = new WfDocument(text, 'case.wf');
  const cost = document.nameAt(text.indexOf('cost is beneath') + 1) ?? assert.fail();
  assert.deepEqual(
    document.placesOf(cost).map(({ span }) => document.lineMap.lineAt(span.start)),
    [8, 9, 11, 13],
  );
});

test('what a line with a mistake sets, and the lines below it, keep their names', () => {
  const broken = workflow(
    '    set rate to (request.rate\n    get stock using Stock at "/stock\n        save the result as stock\n    for each line in stock.lines §\n        log "{line.sku}: {rate}"\n    log stock.level',
  );
  const document = new WfDocument(broken, 'case.wf');
  const lines = (part: string, inside = 0): number[] => {
    const name = document.nameAt(broken.indexOf(part) + inside) ?? assert.fail(part);
    assert.ok(document.definitionOf(name) !== undefined, part);
    return document.placesOf(name).map(({ span }) => document.lineMap.lineAt(span.start));
  };
  assert.deepEqual(lines('rate to'), [8, 12]);
  assert.deepEqual(lines('stock.level'), [10, 11, 13]);
  assert.deepEqual(lines('{line', 1), [11, 12]);
});

test('rename: items of loops are their own, inputs also in the cases', () => {
  const two = workflow(
    '    for each x in request.a:\n        log x\n    for each x in request.b:\n        log "{x}"\n    log (x plus 1) for each x in request.c',
  );
  const renamed = (text: string, offset: number, name: string, cases?: string): { text: string; cases: string } => {
    const result = rename(new WfDocument(text, 'case.wf'), offset, name, cases);
    if (!result.isPossible) return assert.fail(result.reason);
    return { text: applyEdits(text, result.edits), cases: applyEdits(cases ?? '', result.caseEdits) };
  };
  assert.equal(
    renamed(two, two.indexOf('x in request.b'), 'y').text,
    two.replace('x in request.b', 'y in request.b').replace('{x}', '{y}'),
  );
  assert.equal(
    renamed(two, two.indexOf('x in request.c'), 'y').text,
    two.replace('(x plus 1) for each x', '(y plus 1) for each y'),
  );
  const cases =
    '[{"name": "sku", "input": {"lines": [{"sku": "A"}, {"sku": "B"}], "sku": 1}, "expect": {"outputs": {"sku": "A"}}}]';
  assert.equal(
    renamed(order, place('sku is'), 'article', cases).cases,
    cases.replace('[{"sku": "A"}, {"sku": "B"}]', '[{"article": "A"}, {"article": "B"}]'),
  );
  const services = withServices('    get stock using Stock');
  const calls = '{"cases": [{"mocks": {"Stock": {}}, "expect": {"calls": [{"service": "Stock"}, {"service": "Boss"}]}}]}';
  assert.equal(renamed(services, services.indexOf('Stock is'), 'Depot', calls).cases, calls.replaceAll('"Stock"', '"Depot"'));
  for (const wrong of ['9 lives', 'a b', '', 'a.b', 'x-'])
    assert.equal(rename(new WfDocument(order, 'case.wf'), place('set total', 5), wrong, undefined).isPossible, false, wrong);
});

test('rename: fields of the items of a list in the request', () => {
  const body =
    '    for each line in request.lines where line.price is above 1:\n        log line.price\n        for each part in line.parts:\n            log part.price\n    set all to (one.price) for each one in request.lines\n' +
    '    set dear to each line in request.lines sorted by price where line.price is above 5\n    set cheap to first of (dear sorted by price)\n' +
    '    log cheap.price plus sum of dear.price\n    log request.lines grouped by price\n    set rows to [record with price 1] sorted by price descending\n' +
    '    for each row in rows:\n        log row.price\n    complete with all all';
  const text = workflow(body).replace(
    'workflow:',
    'inputs:\n    lines is a list of records:\n        price is a number\n        parts is a list of records:\n            price is a number\n\nworkflow:',
  );
  const result = rename(new WfDocument(text, 'case.wf'), text.indexOf('price'), 'cost', undefined);
  if (!result.isPossible) return assert.fail(result.reason);
  const renamed = text
    .replace('        price is', '        cost is')
    .replaceAll(/(line|one|dear|cheap|request\.lines)\.price/g, '$1.cost')
    .replaceAll(/ by price(?! descending\n {4}for)/g, ' by cost');
  assert.equal(applyEdits(text, result.edits), renamed);
  assert.deepEqual(checkFile(renamed, 'case.wf').diagnostics, []);
});

test('rename: also in lines that cannot be read, but not the names of what is sent', () => {
  const text = workflow(
    '    set total to 1\n    log "{total} {{total}} {total.a}" plus\n    send it using Stock with total total and b total.c $\n    log "{total}\n    lgo total\n    log "{total plus 1}"\n    wait for pay\n        save the message as total "',
  );
  const result = rename(new WfDocument(text, 'case.wf'), text.indexOf('total'), 'sum', undefined);
  if (!result.isPossible) return assert.fail(result.reason);
  assert.equal(
    applyEdits(text, result.edits),
    text.replaceAll('total', 'sum').replace('{{sum}}', '{{total}}').replace('with sum sum', 'with total sum'),
  );
});

test('fixes: also what a warning suggests', () => {
  const text = workflow('    complete').replace('name:', 'nmae:');
  const document = new WfDocument(text, 'case.wf');
  const [fix] = document.explained.diagnostics.flatMap((one) => fixesFor(document, one));
  assert.equal(fix?.title, 'Write "name"');
  assert.equal(applyEdits(text, fix.edits), text.replace('nmae', 'name'));
});

test('fixes: a file that is indented evenly, but not by four spaces, all at once', () => {
  const text = workflow('    if request.a:\n        log "one"\n    complete');
  for (const unit of ['\t', '  ', '   ', '        ']) {
    const written = text.replaceAll('    ', unit);
    const document = new WfDocument(written, 'case.wf');
    const [first] = document.explained.diagnostics;
    const [fix] = first === undefined ? [] : fixesFor(document, first);
    assert.equal(fix?.title, 'Indent every line of the file by 4 spaces a level', JSON.stringify(unit));
    assert.equal(applyEdits(written, fix.edits), text);
    assert.equal(fixAll(document)?.newText, text);
  }
  const odd = new WfDocument(text.replace('        log', '       log'), 'case.wf');
  assert.doesNotMatch(
    odd.explained.diagnostics.flatMap((one) => fixesFor(odd, one).map(({ title }) => title)).join(),
    /every line/,
  );
});

test('renaming a variable there and back changes nothing, and the file stays valid', () => {
  for (const { name, text } of corpusAlone()) {
    const document = new WfDocument(text, name);
    for (const symbol of new Set(document.names.occurrences.map((one) => one.symbol))) {
      const one = document.names.occurrences.find((other) => other.symbol === symbol) ?? assert.fail();
      if (one.kind !== 'variable' && one.kind !== 'item') continue;
      const old = text.slice(one.span.start, one.span.end);
      if (document.definitionOf(one) === undefined) continue;
      const result = rename(document, one.span.start, 'zz-other', undefined);
      if (!result.isPossible) {
        assert.match(result.reason, /column of a table|part of the language/, name);
        continue;
      }
      const there = applyEdits(text, result.edits);
      const before = document.explained.diagnostics.filter(({ severity }) => severity === 'error');
      const after = checkFile(there, name).diagnostics.filter(({ severity }) => severity === 'error');
      assert.deepEqual(
        after.map(({ message }) => message),
        before.map(({ message }) => message),
        `${name}: ${old}`,
      );
    }
  }
});

test('outline and folds', () => {
  const text = workflow(
    '    step One:\n        log "x"\n\n    step Two things:\n        if request.a:\n            step Three:\n                log "y"\n    step "\n',
  );
  const document = new WfDocument(text, 'case.wf');
  const section = outlineOfFile(document).at(-1);
  assert.deepEqual(
    section?.children.map(({ name }) => name),
    ['One', 'Two things', 'step "'],
  );
  assert.deepEqual(
    section?.children[1]?.children.map(({ name }) => name),
    ['Three'],
  );
  assert.deepEqual(
    foldsOf(document).map(({ first, last }) => `${first}-${last}`),
    ['1-3', '5-15', '8-9', '11-14', '12-14', '13-14'],
  );
});

test('a misspelt section keeps its place in the outline, and what fits below it', () => {
  const text = withServices('    get stock using Stock').replace('workflow:', 'inputs:\n    total is a number\n\nworkflow:');
  for (const [section, misspelt] of [
    ['services:', 'servces:'],
    ['services:', 'services'],
    ['inputs:', 'Inputs:'],
    ['workflow:', 'workflwo:'],
  ] as const) {
    const document = new WfDocument(text.replace(section, misspelt), 'case.wf');
    const outline = outlineOfFile(document).map(({ name, children }) => [name, ...children.map((child) => child.name)]);
    assert.equal(outline.flat().length, 7, `${misspelt}: ${outline}`);
    assert.deepEqual(labels(`${document.text.trimEnd()}¦`), ['Stock', 'Boss'], misspelt);
  }
});

test('fixes leave a file without the error', () => {
  const fixed = (text: string): string => {
    const document = new WfDocument(text, 'case.wf');
    const [first] = document.explained.diagnostics;
    const [fix] = first === undefined ? [] : fixesFor(document, first);
    return fix === undefined ? assert.fail(`no fix for ${first?.message}`) : applyEdits(text, fix.edits);
  };
  const isValid = (text: string): void =>
    assert.deepEqual(
      checkFile(text, 'case.wf')
        .diagnostics.filter(({ severity }) => severity === 'error')
        .map(({ message }) => message),
      [],
    );
  isValid(fixed(workflow('    If request.a:\n        log "x"')));
  isValid(fixed(workflow('    get stock using Depot')));
  isValid(fixed(withServices('    get stock using Depot at "/x"')));
  isValid(fixed('config:\n    name: "A"\n    version: 1\n'));
  // A form with other names is an example, and nothing to write.
  const example = new WfDocument(workflow('    for each line in request.lines, 500 at a time:\n        log line'), 'case.wf');
  assert.deepEqual(
    example.explained.diagnostics.flatMap((found) => fixesFor(example, found)),
    [],
  );
  const bare = 'workflow:\n    complete\n';
  const added = new WfDocument(bare, 'order-review.wf').explained.diagnostics.flatMap((found) =>
    fixesFor(new WfDocument(bare, 'order-review.wf'), found).flatMap(({ edits }) => edits),
  );
  assert.equal(
    applyEdits(bare, added),
    'config:\n    name: "order-review"\n    version: 1\n\nworkflow:\n    trigger: when \n\n    complete\n',
  );
  const call = withServices('    get stock using Stock\n        save the result as stock\n    log stock.level');
  const [addition] = additionsAt(new WfDocument(call, 'case.wf'), 13 - 1);
  isValid(applyEdits(call, addition?.edits ?? assert.fail()));
  const all = fixAll(new WfDocument(workflow('    Set total to 1\n    log totl'), 'case.wf'));
  assert.equal(all?.newText, workflow('    set total to 1\n    log total'));
});

test('colours are in order and on one line, and names are told apart', () => {
  for (const { name, text } of corpus()) {
    let end = 0;
    for (const { span } of coloursOf(new WfDocument(text, name))) {
      assert.ok(
        span.start >= end && span.end > span.start && !text.slice(span.start, span.end).includes('\n'),
        `${name}: ${span.start}`,
      );
      end = span.end;
    }
  }
  const document = new WfDocument(order, 'case.wf');
  const types = (part: string): string[] =>
    coloursOf(document)
      .filter(({ span }) => order.slice(span.start, span.end) === part)
      .map(({ type }) => type);
  assert.deepEqual(
    types('total'),
    ['variable', 'variable', 'variable', 'property', 'variable'].filter(
      (type) => type !== 'property' || types('total').includes('property'),
    ),
  );
  assert.deepEqual([...new Set(types('amount'))], ['parameter']);
  assert.deepEqual(types('set'), ['keyword']);
});

test('the words of steps and calls are not coloured as keywords', () => {
  const text = [
    'services:',
    '    Shop is an API at "https://shop.invalid"',
    'workflow:',
    '    trigger: t',
    '    step Add it up to the end:',
    '        update the end using Shop with n 1',
  ].join('\n');
  const keywords = coloursOf(new WfDocument(text, 'case.wf')).filter(({ type }) => type === 'keyword');
  const words = keywords.map(({ span }) => text.slice(span.start, span.end));
  assert.deepEqual(words.slice(words.indexOf('step')), ['step', 'using', 'with']);
});

test('whatever is typed, every feature answers', () => {
  const files = corpus()
    .map(({ text }) => text)
    .filter((text) => text.length < 6_000);
  fc.assert(
    fc.property(
      fc.nat(files.length - 1),
      fc.nat(),
      fc.string({ maxLength: 6 }),
      fc.nat(30),
      (index, position, typed, removed) => {
        const whole = files[index] ?? '';
        const offset = position % (whole.length + 1);
        const document = new WfDocument(whole.slice(0, offset) + typed + whole.slice(offset + removed), 'case.wf');
        const end = offset + typed.length;
        assert.ok(Array.isArray(complete(document, end).items));
        hover(document, end);
        outlineOfFile(document);
        foldsOf(document);
        rulesText(rulesOf(document.checked, document.file));
        for (const { span } of coloursOf(document)) assert.ok(span.end <= document.text.length);
        for (const diagnostic of document.explained.diagnostics.slice(0, 3))
          for (const { edits } of fixesFor(document, diagnostic)) applyEdits(document.text, edits);
      },
    ),
    { seed: seed(51), numRuns: runs(150) },
  );
});

test('a workflow without its head keeps its names, and its head is offered', () => {
  const lines = ['trigger: when it is tried', '', 'set total to request.a', 'log totl', 'complete with total total', ''];
  const config = 'config:\n    name: "Case"\n    version: 1\n\n';
  const indented = lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n');
  const texts = [
    `${config}${indented}`,
    `${config}${lines.join('\n')}`,
    `${config}flow:\n${indented}`,
    `${config}workflw:\n${indented}`,
  ];
  for (const text of texts) {
    const document = new WfDocument(text, 'case.wf');
    const found = document.explained.diagnostics.filter(({ severity }) => severity === 'error');
    assert.equal(found.length, 2, text);
    assert.equal(found[1]?.suggestion, 'total');
    const set = document.nameAt(text.indexOf('total'));
    assert.equal(set === undefined ? 0 : document.placesOf(set).length, 2, text);
    assert.ok(complete(document, text.indexOf('totl') + 2).items.some(({ label }) => label === 'total'));
    const [head] = found[0] === undefined ? [] : fixesFor(document, found[0]);
    assert.ok(head !== undefined, text);
    const mended = applyEdits(text, head.edits).replace('totl', 'total');
    assert.equal(mended, `${config}workflow:\n${indented.replace('totl', 'total')}`);
    assert.deepEqual(checkFile(mended, 'case.wf').diagnostics, []);
  }
});
