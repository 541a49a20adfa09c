// The settings that matter outside the file: the time zone must exist, the schedule must be due at some time, holidays must be dates.
import { impossibleDay } from '../../../runtime/dates/date-errors.js';
import { languages } from '../../../runtime/dates/date-words.js';
import { parseMoment } from '../../../runtime/dates/moment.js';
import { readWorkingHours } from '../../../runtime/dates/working-hours.js';
import type { InputField } from '../../../runtime/inputs/input-types.js';
import { readSchedule } from '../../timetable/words-to-cron.js';
import type { Config, Inputs, Once, Serving, Text, Workflow } from '../2-parse/tree.js';
import { namesIn, referencesIn } from '../2-parse/walk.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { similarTimezone } from '../diagnostics/suggest.js';
import { pathAsWritten } from '../vocabulary/field-names.js';
import { configExamples } from '../vocabulary/line-table.js';
import type { Checker } from './checker.js';

export function checkConfig(
  checker: Checker,
  { span, timezone, schedule, holidays, workingHours, language, serving }: Config,
): void {
  if (timezone !== undefined) {
    const name = timezone.parts.join('');
    if (!isTimezone(name)) checker.report(catalogue.unknownTimezone(timezone.span, name, similarTimezone(name)));
  }
  if (schedule !== undefined) {
    const read = readSchedule(schedule.parts.join(''));
    if (!read.ok) checker.report(catalogue.badSchedule(schedule.span, read.problem, read.hint));
  }
  if (workingHours !== undefined && readWorkingHours(workingHours.parts.join('')) === undefined)
    checker.report(catalogue.badWorkingHours(workingHours.span));
  const named = language?.parts.join('');
  if (language !== undefined && !languages.some((known) => known === named))
    checker.report(catalogue.unknownLanguage(language.span, named ?? '', languageMeant(named ?? ''), languages));
  if (serving !== undefined) checkServing(checker, serving, span);
  for (const { parts, span } of holidays)
    if (parseMoment(parts.join(''))?.form !== 'date') {
      const text = parts.join('');
      checker.report(catalogue.invalidDate(span, text, impossibleDay(text)));
    }
}

/** The value is compared before anything runs, so only the request is known. */
export function checkOnce(checker: Checker, { value }: Once): void {
  const names = namesIn(value);
  const isRequestOnly = names.size === 1 && names.has('request');
  const isState = isRequestOnly && checker.expression(value).is === 'boolean';
  if (isRequestOnly && !isState) return;
  const fields = isState ? [...new Set([...referencesIn(value)].map(pathAsWritten))] : [];
  const meant = fields.length > 1 ? `"${fields.map((field) => `{${field}}`).join('/')}"` : fields[0];
  checker.report(
    catalogue.badSetting(
      value.span,
      'once for each',
      meant === undefined || meant === checker.text.slice(value.span.start, value.span.end)
        ? (configExamples['once for each'] ?? '')
        : `once for each: ${meant}`,
      isState
        ? 'It is yes or no, so all requests but two would start nothing.'
        : 'It is compared before the workflow starts, so it can only be made from the request.',
    ),
  );
}

/** A signature and its secret belong together. */
function checkServing(checker: Checker, { signature, secret }: Serving, span: Config['span']): void {
  for (const part of secret?.parts ?? [])
    if (typeof part !== 'string' && part.fields[0] !== undefined) checker.facts.env.add(part.fields[0]);
  if ((signature === undefined) === (secret === undefined)) return;
  const [key, other, example] =
    signature === undefined
      ? (['secret', 'signature', 'signature: "github"'] as const)
      : (['signature', 'secret', 'secret: "{env.WEBHOOK_SECRET}"'] as const);
  checker.report(catalogue.badSetting((signature ?? secret)?.span ?? span, key, example, `"${key}" needs "${other}" beside it.`));
}

/** A trigger that names exact times may be meant as the schedule, or contradict it. */
export function checkTrigger(checker: Checker, { trigger, config }: Workflow, times: string): void {
  const own = config?.schedule?.parts.join('');
  const [read, set] = [times, own ?? times].map(readSchedule);
  if (read?.ok !== true || set?.ok !== true || (own !== undefined && set.cron.text === read.cron.text)) return;
  const start = checker.text.indexOf(trigger, checker.text.search(/^[ \t]*trigger/m));
  checker.report(catalogue.triggerAsSchedule({ start, end: start + trigger.length }, times));
}

/** A due time comes without a request. */
export function checkScheduledInputs(checker: Checker, { span }: Text, inputs: readonly InputField[], declaredIn: Inputs): void {
  const required = inputs.filter((field) => field.optional !== true && field.otherwise === undefined);
  const [first] = required;
  if (first === undefined) return;
  const declared = declaredIn.fields.find(({ name }) => name.text === first.name);
  const from = declared?.name.span.start ?? 0;
  checker.report(
    catalogue.scheduleWithoutRequest(
      span,
      required.map(({ name }) => name),
      checker.text.slice(from).split('\n', 1)[0]?.trim() ?? '',
    ),
  );
}

/** `German`, `Deutsch` and `de-AT` are `de`. */
const languageMeant = (name: string): string | undefined =>
  languages.find((language) => {
    const names = ['en', language].map((shown) => new Intl.DisplayNames(shown, { type: 'language' }).of(language));
    return [language, ...names].some((one) => one?.toLowerCase() === name.toLowerCase().replace(/[-_].*/, ''));
  });

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // Newer releases of Node.js also accept "+02:00", older ones don't. A workflow must not depend on that.
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}
