// Turns a call of a database, a mail server or a folder into a task for the host's connectors. Values stay values: only the
// connector turns them into SQL parameters, addresses or paths.
import type { Run } from '../run/run.js';
import type { CallRequest } from '../types.js';
import { type AttemptResult, defaultTimeoutMs, type PreparedCall } from './attempt.js';
import { firstCharacters } from './body.js';
import { type Failure, missingVariable, unusableAddress } from './call-errors.js';
import { badMessage, noConnector, statementRefused } from './connector-errors.js';
import { type ConnectorTask, connectedKinds } from './connector-types.js';
import { idempotencyKey } from './headers.js';
import { filledTemplate, namedVariables, unsetVariables, withoutPassword, writtenTemplate } from './template.js';
import { databaseForms, folderForms, statementWish } from './verbs.js';

/** Characters of the other system's own words that a workflow and its log see. */
const mostSaid = 1_000;

/** Prepares a call for a connector. If this fails, nothing is sent. */
export function prepareConnected(
  run: Run,
  request: CallRequest,
  kind: ConnectorTask['kind'],
  key?: string,
): PreparedCall | Failure {
  const { service } = request;
  const template = service.url ?? [];
  const address = filledTemplate(template, run.environment);
  if (address === undefined) return missingVariable('its address', unsetVariables(template, run.environment));
  const { connectors } = run.options;
  if (connectors === undefined) return noConnector(connectedKinds[kind]);
  const timeoutMs = service.timeoutMs ?? defaultTimeoutMs;
  const base = { address, base: run.options.folder ?? process.cwd(), timeoutMs };
  const task = taskOf(run, request, kind, base, key);
  if ('ok' in task) return task;
  return {
    ok: true,
    url: withoutPassword(writtenTemplate(template)),
    timeoutMs,
    attempt: async (cancellation) => cleaned(run, request, await connectors.perform(task, cancellation)),
  };
}

type Base = Pick<ConnectorTask, 'address' | 'base' | 'timeoutMs'>;

function taskOf(
  run: Run,
  request: CallRequest,
  kind: ConnectorTask['kind'],
  base: Base,
  key = idempotencyKey(),
): ConnectorTask | Failure {
  switch (kind) {
    case 'database':
      return databaseTask(request, base);
    case 'folder':
      return folderTask(request, base);
    case 'mail':
      return mailTask(run, request, base, key);
  }
}

function folderTask({ verb, parameters, path }: CallRequest, base: Base): ConnectorTask | Failure {
  const does = folderForms.get(verb.toLowerCase());
  if (does === undefined) return statementRefused(`"${verb}" is not something a folder can do`, { sent: false });
  return { kind: 'folder', ...base, does, ...(path === undefined ? {} : { path }), parameters };
}

function mailTask(run: Run, request: CallRequest, base: Base, key: string): ConnectorTask | Failure {
  const template = request.service.from ?? [];
  const from = filledTemplate(template, run.environment);
  if (from === undefined) return missingVariable('its sender (from)', unsetVariables(template, run.environment));
  if (from === '') return badMessage('it has no sender: add "from" below the service');
  return { kind: 'mail', ...base, from, messageId: key, date: Date.now(), parameters: request.parameters };
}

function databaseTask({ verb, path = [], parameters, where = [], statement }: CallRequest, base: Base): ConnectorTask | Failure {
  const kind = 'database';
  if (statement !== undefined) return { kind, ...base, does: 'run', wish: statementWish(verb), statement };
  const form = databaseForms.get(verb.toLowerCase());
  if (form === undefined) return statementRefused(`"${verb}" is not something a database can do with a table`, { sent: false });
  const sets = form.does === 'insert' || form.does === 'update';
  return {
    kind,
    ...base,
    ...form,
    table: path,
    values: sets ? parameters : [],
    where: sets ? where : [...parameters, ...where],
  };
}

/** Redacted, and no longer than the text of a failing answer. A warning goes to the log. */
function cleaned(run: Run, { service, location }: CallRequest, result: AttemptResult): AttemptResult {
  if (result.ok) {
    if (result.warning !== undefined) run.journal.add('warning', location[0], { message: `${service.name}: ${result.warning}` });
    return result;
  }
  // The connector can't know which variables an address comes from.
  if (result.code === 'WF651')
    return unusableAddress(namedVariables(service.url ?? []), result.cause.replace(/^its address /, ''));
  if (result.body === undefined) return result;
  return { ...result, body: firstCharacters(run.journal.redactor.text(result.body), mostSaid) };
}
