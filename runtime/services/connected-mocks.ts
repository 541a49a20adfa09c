// The default mock answers of databases, mail servers and folders, with the structure of real ones.

import type { MockCall, Value, WfRecord } from '../types.js';
import { record } from '../values/record.js';
import { databaseForms, fileEnding, folderForms, statementWish } from './call-forms.js';

type Echo = (call: MockCall, number: number) => WfRecord;

/** Rows that a mock changes, deletes or counts. */
const mockCount = 1;
const mockRows = 2;

/** @param echo a record of what was sent, with an `id` */
export function connectedAnswer(call: MockCall, echo: Echo): Value {
  if (call.service.kind === 'mail') return { id: String(echo(call, 1).id), recipients: 1, mock: true };
  return call.service.kind === 'folder' ? ofFolder(call, echo) : ofDatabase(call, echo);
}

function ofDatabase(call: MockCall, echo: Echo): Value {
  const { verb, statement } = call;
  const wish = statement === undefined ? databaseForms.get(verb.toLowerCase())?.wish : statementWish(verb);
  if (wish === 'rows') return [echo(call, 1), echo(call, 2)];
  if (wish === 'record') return echo(call, 1);
  return databaseForms.get(verb.toLowerCase())?.does === 'count' ? mockRows : mockCount;
}

function ofFolder(call: MockCall, echo: Echo): Value {
  const { verb, path = '' } = call;
  const name = path.slice(path.lastIndexOf('/') + 1);
  switch (folderForms.get(verb.toLowerCase())) {
    case 'list':
      return [1, 2].map((number) =>
        record([
          ['name', `mock-${number}.csv`],
          ['size', 0],
          ['mock', true],
        ]),
      );
    case 'read': {
      const ending = fileEnding(name);
      if (ending === 'txt') return `mock text of ${name}`;
      return ending === 'json' ? echo(call, 1) : [echo(call, 1), echo(call, 2)];
    }
    default:
      return record([
        ['name', name],
        ['mock', true],
      ]);
  }
}
