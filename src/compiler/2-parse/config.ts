// Parses the lines under `config:` into the settings of the workflow.
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { closest } from '../diagnostics/suggest.js';
import { configExamples } from '../vocabulary/line-table.js';
import { isWebhookProvider } from '../vocabulary/webhook-providers.js';
import type { ParseContext } from './context.js';
import { settingReason } from './explain/everyday-service.js';
import { wrongCapitals } from './explain/explain.js';
import type { ConfigLine } from './line-node.js';
import type { Config, Expression, Reference, Text } from './tree.js';

const keys = Object.keys(configExamples);

export function parseConfig(head: Line, context: ParseContext): Config {
  const seen = new Map<string, ConfigLine>();
  for (const line of head.children) {
    const first = context.name(line, 0);
    const key = keyOf(line, context);
    const matched = line.fault === undefined ? context.match('configLine', line) : undefined;
    if (matched?.ok !== true) {
      if (key !== undefined) {
        context.report(
          (matched === undefined ? undefined : wrongCapitals('configLine', line, context.text, matched.failure)) ??
            catalogue.badSetting(valueSpan(line, key), key, configExamples[key] ?? '', reasonFor(line, key, context)),
        );
        if (!seen.has(key)) seen.set(key, { kind: 'unknown', key: first ?? { text: key, span: lineSpan(line) } });
      } else if (line.fault !== undefined && first !== undefined && line.shape.charAt(1) === ':') {
        // An unknown setting may have any value.
        context.report(catalogue.unknownSetting(first.span, first.text, closest(first.text, keys)));
      } else if (line.fault !== undefined) context.report(line.fault);
      else context.report(catalogue.notASetting(lineSpan(line), keys.map((known) => configExamples[known]).join('\n')));
      continue;
    }
    const { node } = matched;
    if (node.kind === 'unknown') {
      context.report(catalogue.unknownSetting(node.key.span, node.key.text, closest(node.key.text, keys)));
    } else if (seen.has(node.kind)) {
      context.report(catalogue.settingTwice(lineSpan(line), node.kind));
    } else {
      seen.set(node.kind, isRight(node) ? node : { kind: 'unknown', key: { text: node.kind, span: lineSpan(line) } });
      if (!isRight(node))
        context.report(
          catalogue.badSetting(
            valueSpan(line, node.kind),
            node.kind,
            configExamples[node.kind] ?? '',
            reasonFor(line, node.kind, context),
          ),
        );
    }
  }
  const of = <K extends ConfigLine['kind']>(kind: K): Extract<ConfigLine, { kind: K }> | undefined => {
    const node = seen.get(kind);
    return node?.kind === kind ? (node as Extract<ConfigLine, { kind: K }>) : undefined; // compared above
  };
  const textOf = (kind: TextSetting): Text | undefined => {
    const node = seen.get(kind);
    return node?.kind === kind ? node.value : undefined;
  };
  return {
    span: lineSpan(head),
    name: textOf('name'),
    version: of('version')?.value,
    description: textOf('description'),
    timeout: of('timeout')?.value,
    timezone: textOf('timezone'),
    schedule: textOf('schedule'),
    workingHours: textOf('working hours'),
    language: textOf('language'),
    once: of('once for each')?.value,
    keepFor: of('keep for')?.value,
    findBy: (of('find by')?.value ?? []).filter(isOfRequest),
    holidays: (of('holidays')?.value ?? []).filter((value): value is Text => value.kind === 'text'),
    ...servingOf(seen),
  };
}

function servingOf(seen: ReadonlyMap<string, ConfigLine>): Pick<Config, 'serving'> {
  const [signature, secret, status, runs] = ['signature', 'secret', 'status', 'runs'].map((key) => seen.get(key));
  const isAccepted = seen.get('answer')?.kind === 'answer';
  if (![signature, secret, status, runs].some((one) => one !== undefined && one.kind !== 'unknown') && !isAccepted) return {};
  return {
    serving: {
      signature: signature?.kind === 'signature' ? signature.value : undefined,
      secret: secret?.kind === 'secret' ? secret.value : undefined,
      isAccepted,
      statusWhenRejected: status?.kind === 'status' ? status.value : undefined,
      runsAtOnce: runs?.kind === 'runs' ? runs.value : undefined,
    },
  };
}

type TextSetting = Extract<ConfigLine, { value: Text }>['kind'];

/** The setting that a line begins with, which may have two words. */
const keyOf = (line: Line, { text }: ParseContext): string | undefined =>
  keys.find((known) => {
    const after = text.slice(line.start, line.end).startsWith(known) ? text.charAt(line.start + known.length) : undefined;
    return after !== undefined && !(/[ -~]/.test(after) ? /[\w-]/ : /[\p{L}\p{N}_-]/u).test(after);
  });

/** The number of the token after the key. */
const afterKey = (key: string): number => key.split(' ').length;

const reasonFor = (line: Line, key: string, { text }: ParseContext): string | undefined =>
  settingReason(key, text.slice(line.offsets[2 * afterKey(key) - 1] ?? line.start, line.end));

/** The value after the colon, or the whole line if there is none. */
const valueSpan = (line: Line, key: string): { start: number; end: number } => {
  const start = line.offsets[2 * afterKey(key) + 2];
  return start === undefined ? lineSpan(line) : { start, end: Math.max(line.end, start + 1) };
};

const isPlain = ({ parts }: Text): boolean => parts.every((part) => typeof part === 'string');

/** A field of the request: whether a run is found must not depend on anything else. */
const isOfRequest = (value: Expression): value is Reference =>
  value.kind === 'reference' && value.root === 'request' && value.fields.length > 0;

/** A secret never stands in the file. */
const isOfEnvironment = ({ parts }: Text): boolean =>
  parts.length > 0 &&
  parts.every((part) => (typeof part === 'string' ? part.trim() === '' : part.root === 'env' && part.fields.length === 1));

/** The grammar lets any text and number through; the limits are checked here. */
function isRight(node: Exclude<ConfigLine, { kind: 'unknown' }>): boolean {
  if (node.kind === 'timeout' || node.kind === 'keep for') return node.value.amount > 0;
  if (node.kind === 'once for each') return node.value.keptFor === undefined || node.value.keptFor.amount > 0;
  if (node.kind === 'version') return Number.isSafeInteger(node.value.value) && node.value.value >= 0;
  if (node.kind === 'holidays') return node.value.every((value) => value.kind === 'text' && isPlain(value));
  if (node.kind === 'find by') return node.value.every(isOfRequest);
  if (node.kind === 'answer') return true;
  if (node.kind === 'status') return Number.isInteger(node.value.value) && node.value.value >= 400 && node.value.value <= 499;
  if (node.kind === 'runs') return Number.isSafeInteger(node.value.value) && node.value.value >= 1;
  if (node.kind === 'secret') return isOfEnvironment(node.value);
  if (node.kind === 'signature') return isPlain(node.value) && isWebhookProvider(node.value.parts.join(''));
  return isPlain(node.value) && (node.kind === 'description' || node.value.parts.join('').trim() !== '');
}
