// `wf token`: makes a token and its entry for the file of `--tokens`. The token is shown once; the entry has only its digest.
import { randomBytes } from 'node:crypto';
import { anyOf } from '../../runtime/texts/words.js';
import { isMoment, isTokenName, type TokenEntry, tokenDigest, tokenRoles } from '../access/token-file.js';
import type { DurableEngine } from '../durable/durable-engine.js';
import type { Io } from '../engine/io.js';
import { readDays } from '../engine/shared-options.js';
import { UsageError } from '../engine/usage-error.js';
import type { Values } from './command-spec.js';

const TOKEN_BYTES = 32;

/** @throws UsageError for an option that can't be used */
export async function tokenCommand(name: string, values: Values, io: Io): Promise<number> {
  if (!isTokenName(name)) throw new UsageError('The name of a token must be a text of up to 100 characters.');
  const token = `wf_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const entry = { name, sha256: tokenDigest(token), ...rightsOf(values) } satisfies TokenEntry;
  await recordIn(name, entry.role, values, io);
  io.stdout.write(`${JSON.stringify({ token, entry }, null, 2)}\n`);
  io.stderr.write(
    'The token is not shown again. Add the entry to the list in the file of --tokens; servers take it in by themselves.\n',
  );
  return 0;
}

function rightsOf({ role = 'caller', workflows, expires }: Values): Pick<TokenEntry, 'role' | 'workflows' | 'expires'> {
  const known = tokenRoles.find((one) => one === role);
  if (known === undefined) throw new UsageError(`--role must be ${anyOf(tokenRoles)}, not ${JSON.stringify(role)}.`);
  if (workflows !== undefined && known !== 'caller')
    throw new UsageError('--workflows is for callers only.', `A ${known} sees all workflows. Leave out --workflows, or --role.`);
  const names = typeof workflows === 'string' ? workflows.split(',').map((one) => one.trim()) : undefined;
  if (names?.includes('') === true)
    throw new UsageError('--workflows needs names, with commas between them.', 'For example: --workflows order,refund');
  return {
    ...(names === undefined ? {} : { workflows: names }),
    ...(typeof expires === 'string' ? { expires: momentOf(expires) } : {}),
    role: known,
  };
}

function momentOf(text: string): string {
  if (/^\d+d$/.test(text)) return new Date(Date.now() + readDays('--expires', text)).toISOString();
  if (isMoment(text)) {
    if (Date.parse(text) > Date.now()) return text;
    throw new UsageError(`--expires must be in the future, not ${text}: the token would never work.`);
  }
  throw new UsageError(
    `--expires must be a date, a time with its zone, or a number of days, not ${JSON.stringify(text)}.`,
    'For example: --expires 2027-12-31, --expires 2027-12-31T18:00:00Z or --expires 90d',
  );
}

/** Records in the store who made a token for its servers. */
async function recordIn(name: string, role: string, values: Values, io: Io): Promise<void> {
  if (values.store === undefined && (io.env.WF_STORE ?? '').trim() === '') return;
  const { commandActor, withCommandStore } = await import('./runs/open-command-store.js');
  const record = async (store: DurableEngine): Promise<number> => {
    await store.changes.record({ action: 'token', by: commandActor(), about: `${name} (${role})` });
    return 0;
  };
  // A server may get its tokens before it starts for the first time.
  await withCommandStore('token', values, io, record, { makesStore: true });
}
