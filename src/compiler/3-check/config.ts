// The settings that matter outside the file: the time zone must exist, the schedule must be due at some time, holidays must be dates.

import { impossibleDay } from '../../../runtime/dates/date-errors.js';
import { parseMoment } from '../../../runtime/dates/moment.js';
import type { InputField } from '../../../runtime/inputs/input-types.js';
import { readSchedule } from '../../timetable/read-schedule.js';
import type { Config, Text } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { similarTimezone } from '../diagnostics/suggest.js';
import type { Checker } from './checker.js';

export function checkConfig(checker: Checker, { timezone, schedule, holidays }: Config): void {
  if (timezone !== undefined) {
    const name = timezone.parts.join('');
    if (!isTimezone(name)) checker.report(catalogue.unknownTimezone(timezone.span, name, similarTimezone(name)));
  }
  if (schedule !== undefined) {
    const read = readSchedule(schedule.parts.join(''));
    if (!read.ok) checker.report(catalogue.badSchedule(schedule.span, read.problem, read.hint));
  }
  for (const { parts, span } of holidays)
    if (parseMoment(parts.join(''))?.form !== 'date') {
      const text = parts.join('');
      checker.report(catalogue.invalidDate(span, text, impossibleDay(text)));
    }
}

/** A due time comes without a request. */
export function checkScheduledInputs(checker: Checker, { span }: Text, inputs: readonly InputField[]): void {
  const required = inputs.filter((field) => field.optional !== true && field.otherwise === undefined).map(({ name }) => name);
  if (required.length > 0) checker.report(catalogue.scheduleWithoutRequest(span, required));
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // Newer releases of Node.js also accept "+02:00", older ones don't. A workflow must not depend on that.
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}
