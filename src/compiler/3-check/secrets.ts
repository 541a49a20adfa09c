// Finds values that contain secrets of the environment, and where they leave the workflow: in its outputs, a rejection, or a request.
import { isSecretName } from '../../../runtime/run/secret-variables.js';
import { providers } from '../../../runtime/services/ai-providers.js';
import type { Expression, Reference, Service, Statement, Text, Workflow } from '../2-parse/tree.js';
import { assignedBy, expressionsOf, localsOf, operandsOf, statementsIn } from '../2-parse/walk.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Checker } from './checker.js';

/** Reports each secret that leaves. Call it after checking the statements. */
export function checkSecrets(checker: Checker, { body, services }: Workflow): void {
  const names = secretNames(services.filter((service) => service.kind !== 'broken'));
  const isSecret = (variable: string): boolean => isSecretName(variable) || names.has(variable);
  if (![...checker.facts.env].some(isSecret)) return;
  const statements = [...statementsIn(body)];
  const held = heldBy(statements, isSecret);
  for (const statement of statements) {
    // A plugin runs on this machine and has no headers, so its values are the only way to pass it a key.
    if (statement.kind === 'call' && checker.services.get(statement.service.text)?.kind === 'plugin') continue;
    for (const { expression, place } of leaving(statement)) {
      const secret = secretIn(expression, isSecret, held);
      if (secret === undefined) continue;
      const through = secret.reference.root === 'env' ? undefined : secret.reference.root;
      checker.report(catalogue.secretLeaves(secret.reference.span, secret.name, through, place));
    }
  }
}

/** Variables that the services use for secrets, whatever their names. */
function secretNames(services: readonly Service[]): Set<string> {
  const names = new Set<string>();
  const add = (text: Text | undefined): void => {
    for (const part of text?.parts ?? [])
      if (typeof part !== 'string' && part.root === 'env' && part.fields[0] !== undefined) names.add(part.fields[0]);
  };
  for (const { kind, target, headers, signIn } of services) {
    for (const { value } of headers) add(value);
    add(signIn?.id);
    add(signIn?.secret);
    if (kind === 'webhook') add(target);
  }
  if (services.some(({ kind }) => kind === 'ai'))
    for (const { key } of Object.values(providers)) if (key !== undefined) names.add(key);
  return names;
}

type IsSecret = (variable: string) => boolean;

/** Variable of the workflow → the secret that it contains. */
type Held = ReadonlyMap<string, string>;

/** The secrets that each variable may contain at any time of the run. */
function heldBy(statements: readonly Statement[], isSecret: IsSecret): Held {
  const held = new Map<string, string>();
  for (let before = -1; before !== held.size; ) {
    before = held.size;
    for (const statement of statements) {
      if (statement.kind !== 'set' && statement.kind !== 'add' && statement.kind !== 'for each') continue;
      const secret = expressionsOf(statement)
        .map(({ expression }) => secretIn(expression, isSecret, held))
        .find(Boolean);
      if (secret === undefined) continue;
      for (const name of [...assignedBy(statement).map((one) => one.name), ...localsOf(statement).map(({ text }) => text)])
        if (!held.has(name)) held.set(name, secret.name);
    }
  }
  return held;
}

/** Conditions only reveal whether something is true. */
const hides: ReadonlySet<Expression['kind']> = new Set(['comparison', 'between', 'state', 'logic', 'not']);

/** The first part of a value that contains a secret. */
function secretIn(expression: Expression, isSecret: IsSecret, held: Held): { reference: Reference; name: string } | undefined {
  if (hides.has(expression.kind) || (expression.kind === 'builtin' && expression.name === 'count of')) return undefined;
  if (expression.kind === 'reference') {
    const [variable] = expression.fields;
    const name =
      expression.root === 'env'
        ? variable !== undefined && isSecret(variable)
          ? variable
          : undefined
        : held.get(expression.root);
    return name === undefined ? undefined : { reference: expression, name };
  }
  for (const operand of operandsOf(expression)) {
    const found = secretIn(operand.expression, isSecret, held);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Leaving {
  readonly expression: Expression;
  readonly place: catalogue.SecretPlace;
}

function leaving(statement: Statement): Leaving[] {
  if (statement.kind === 'complete') {
    const { pairs, answer } = statement;
    const put = [...pairs.map(({ value }) => value), ...(answer === undefined ? [] : [answer])];
    return put.map((expression) => ({ expression, place: 'output' }));
  }
  if (statement.kind === 'reject') return [{ expression: statement.message, place: 'rejection' }];
  if (statement.kind !== 'call' && statement.kind !== 'ask') return [];
  const values = statement.pairs.map(({ value }) => value);
  if (statement.body !== undefined) values.push(statement.body.value);
  if (statement.kind === 'ask') values.push(statement.instruction);
  return values.map((expression) => ({ expression, place: 'request' }));
}
