// Shows times in the reader's zone, and the time left until something is due.
const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', second: '2-digit' };
const sameDay = new Intl.DateTimeFormat(undefined, clock);
const sameYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', ...clock });
const anyYear = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** The title shows the exact UTC time. */
export function localizeTimes(root: ParentNode): void {
  const today = new Date();
  for (const element of root.querySelectorAll<HTMLTimeElement>('time:not([title])')) {
    const date = new Date(element.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    const format =
      date.toDateString() === today.toDateString() ? sameDay : date.getFullYear() === today.getFullYear() ? sameYear : anyYear;
    element.title = element.dateTime;
    element.textContent = format.format(date);
  }
  for (const option of root.querySelectorAll<HTMLOptionElement>('[name=since] option'))
    if (option.value.includes('T')) option.textContent = `Since ${sameYear.format(new Date(option.value))}`;
}

/** A time of day in a form is the reader's, and the latest one that has come. Without the script, it is UTC. */
export function sendTimesOfDay(): void {
  document.querySelector('.utc')?.remove();
  document.addEventListener('formdata', ({ formData }) => {
    const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(String(formData.get('at'))) ?? [];
    formData.delete('at');
    if (hours === undefined) return;
    const time = new Date();
    time.setHours(Number(hours), Number(minutes), 0, 0);
    if (time.getTime() > Date.now()) time.setDate(time.getDate() - 1);
    formData.set('since', time.toISOString());
  });
}

const UNITS: readonly (readonly [string, number])[] = [
  ['day', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** As the server writes it: the two largest units. */
function words(ms: number): string {
  const at = Math.max(
    0,
    UNITS.findIndex(([, length], index) => ms >= length || index === UNITS.length - 1),
  );
  const [name, length] = UNITS[at] ?? ['s', 1_000];
  const whole = Math.floor(ms / length);
  const next = UNITS[at + 1];
  const rest = next === undefined ? 0 : Math.floor((ms % length) / next[1]);
  const first = `${whole} ${name}${name === 'day' && whole !== 1 ? 's' : ''}`;
  return next === undefined || rest === 0 ? first : `${first} ${rest} ${next[0]}`;
}

/** Milliseconds that the clock of this machine is ahead of the server's. */
let ahead = 0;

export function setClock(serverNow: number): void {
  ahead = Date.now() - serverNow;
}

/** Counts down to due times, and up from the start of what is under way. Not in a live region, which a screen reader would keep reading out. */
export function keepCounting(): void {
  setInterval(() => {
    if (document.hidden) return;
    const now = Date.now() - ahead;
    for (const element of document.querySelectorAll<HTMLElement>('[data-due]')) {
      const left = Date.parse(element.dataset.due ?? '') - now;
      const text = left > 0 ? `in ${words(Math.ceil(left / 1000) * 1000)}` : 'due now';
      if (element.textContent !== text) element.textContent = text;
    }
    for (const element of document.querySelectorAll<HTMLElement>('[data-since]')) {
      const since = now - Date.parse(element.dataset.since ?? '');
      if (since >= 1000) element.textContent = words(since);
    }
  }, 1000);
}
