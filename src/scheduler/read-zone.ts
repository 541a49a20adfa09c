// The zone named on the command line, or the machine's.
import { similarTimezone } from '../compiler/diagnostics/suggest.js';
import { UsageError } from '../engine/usage-error.js';
import { Zone } from '../timetable/zone.js';

/**
 * The zone named by `--timezone`, or the machine's.
 * @throws UsageError if the name is not an IANA time zone
 */
export function readZone(given: string | undefined): Zone {
  const name = given ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';
  try {
    // Newer releases of Node.js accept "+02:00", older ones don't. A schedule must not depend on that.
    if (!/^[+-]/.test(name)) return new Zone(name);
  } catch {
    if (given === undefined) return new Zone('UTC');
  }
  const near = similarTimezone(name);
  throw new UsageError(
    `I don't know the time zone "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    'Use an IANA name, for example Europe/Berlin, America/New_York, Africa/Lagos or UTC.',
  );
}
