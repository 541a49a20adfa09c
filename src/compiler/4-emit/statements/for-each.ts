// Emits `for each` as a loop over a list, or over the fields of a record.
import type { ForEach, ForEachField } from '../../2-parse/tree.js';
import { isTogether } from '../../2-parse/walk.js';
import { deferredChecks } from '../deferred-overflow-checks.js';
import type { Emitter } from '../emitter.js';
import { emitLoop } from './loop.js';
import { emitTogether } from './rounds-together.js';

export function emitForEach(emitter: Emitter, loop: ForEach): void {
  if (isTogether(loop)) {
    emitTogether(emitter, loop);
    return;
  }
  const { item, list, span } = loop;
  const items = emitter.unique('list');
  const { code } = emitter.expression(list);
  emitter.line(`const ${items} = ${emitter.use('items')}(${code}, ${emitter.location(list.span, list.span)});`, span);
  emitLoop(emitter, loop, {
    count: `${items}.length`,
    items: [{ name: item.text, identifier: emitter.itemIdentifier(item.text), value: (index) => `${items}[${index}]` }],
    // A traced run must not report a variable too large to hold.
    late: emitter.options.trace === true ? new Map() : deferredChecks(loop),
  });
}

export function emitForEachField(emitter: Emitter, loop: ForEachField): void {
  const { name, value, record, span } = loop;
  const [owner, names] = [emitter.unique('record'), emitter.unique('names')];
  const { code } = emitter.expression(record);
  emitter.line(`const ${owner} = ${emitter.use('recordToLoop')}(${code}, ${emitter.location(record.span, record.span)});`, span);
  emitter.line(`const ${names} = ${emitter.use('fieldsOf')}(${owner});`, span);
  emitLoop(emitter, loop, {
    count: `${names}.length`,
    items: [
      { name: name.text, identifier: emitter.itemIdentifier(name.text), value: (index) => `${names}[${index}]` },
      // Its own field, whatever its name: the name comes from the record.
      { name: value.text, identifier: emitter.itemIdentifier(value.text), value: (index) => `${owner}[${names}[${index}]]` },
    ],
  });
}
