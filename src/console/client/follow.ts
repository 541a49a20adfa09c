// Keeps a page up to date: the server reports what changed, and the page fetches itself again. It also does so after reconnecting, so it
// never misses a change.
import { mergePage, typedIn } from './merge-page.js';
import { setClock } from './times.js';

const SHORTEST_BREAK_MS = 700;
/** The server sends something every 15 seconds. A connection that is silent this long is dead, whatever the browser thinks. */
const LONGEST_SILENCE_MS = 40_000;

interface Change {
  /** `*`: too many to list. */
  readonly runs: readonly string[] | '*';
  readonly tasks: boolean;
}

export function follow(): void {
  sendOnce();
  const about = document.body.dataset.live;
  if (about === undefined) return;
  let source: EventSource | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let wasConnected = false;

  const concerns = ({ runs, tasks }: Change): boolean =>
    about === 'tasks' ? tasks : about === 'runs' || about === 'workflows' || runs === '*' || runs.includes(about) || tasks;

  const close = (): void => {
    source?.close();
    source = undefined;
    clearTimeout(silence);
  };
  const open = (): void => {
    close();
    source = new EventSource(liveAddress());
    source.addEventListener('hello', ({ data }) => {
      setClock(Number(data));
      show('on');
      // A run in progress may have ended since the page was made.
      if (wasConnected || document.querySelector('.lead :is(.running, .waiting)') !== null) refreshSoon();
      wasConnected = true;
      listen();
    });
    source.addEventListener('beat', listen);
    source.addEventListener('change', ({ data }) => {
      listen();
      if (concerns(JSON.parse(data))) refreshSoon();
    });
    source.addEventListener('error', () => {
      show('off');
      // Browsers reconnect on their own, unless the server answered with something other than a stream.
      if (source?.readyState === EventSource.CLOSED) silence = setTimeout(open, 5_000);
    });
  };
  const listen = (): void => {
    clearTimeout(silence);
    silence = setTimeout(open, LONGEST_SILENCE_MS);
  };
  // A browser shares a few connections among all its tabs, so hidden tabs close theirs.
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  addEventListener('pagehide', close);
  addEventListener('pageshow', ({ persisted }) => persisted && open());
  if (!document.hidden) open();
  if (document.getElementById('partly') !== null) refreshSoon();
}

function sayOffline(form: HTMLFormElement): void {
  const words = form.querySelector('[role=alert]') ?? form.appendChild(document.createElement('p'));
  words.className = 'said error';
  words.role = 'alert';
  words.textContent = 'This machine is offline, so nothing was sent. Try again once it is connected.';
}

/** Beside the assets, wherever a proxy serves the console. */
function liveAddress(): URL {
  const script = document.querySelector<HTMLScriptElement>('script[src]');
  return new URL('../live', script?.src ?? location.href);
}

const said = { on: 'Live', off: 'Not connected, trying again', out: 'Signed out' } as const;

function show(state: keyof typeof said): void {
  const element = document.getElementById('live');
  if (element === null || element.classList.contains(state)) return;
  element.className = `live ${state === 'on' ? 'on' : 'off'}`;
  element.textContent = said[state];
}

const stateOfRun = (): string | undefined => document.getElementById('state')?.textContent?.trim();

/** A form is on its way. To load the page again would stop it. */
let isSending = false;
/** By then, it has arrived or was stopped, and can be sent again. */
const LONGEST_SENDING_MS = 10_000;

/** However often someone presses a button, its form goes once. */
function sendOnce(): void {
  const setSending = (form: HTMLFormElement, isOn: boolean): void => {
    isSending = isOn;
    form.ariaBusy = String(isOn);
  };
  addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    if (form.method === 'post') {
      // The browser's own page would take the place of what was typed.
      if (!navigator.onLine) sayOffline(form);
      if (isSending || !navigator.onLine) return event.preventDefault();
    }
    setSending(form, true);
    const done = (): void => setSending(form, false);
    setTimeout(done, LONGEST_SENDING_MS);
    // Back from the page that followed.
    addEventListener('pageshow', done, { once: true });
  });
}
let lastRefresh = 0;
let isPlanned = false;

function refreshSoon(): void {
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(() => void refresh(), Math.max(50, lastRefresh + SHORTEST_BREAK_MS - Date.now()));
}

async function refresh(): Promise<void> {
  try {
    const response = await fetch(location.href, { headers: { 'X-Wf-Live': '1' } });
    // Signed out, or the run is gone. Text that someone has typed survives signing in only if it is sent.
    if (response.status === 401 && (isSending || typedIn(document).length > 0)) show('out');
    else if (response.status === 401 || response.status === 404) location.reload();
    else if (response.ok) {
      const before = stateOfRun();
      mergePage(new DOMParser().parseFromString(await response.text(), 'text/html'));
      const now = stateOfRun();
      const spoken = document.getElementById('said');
      if (now !== before && spoken !== null) spoken.textContent = `The run is now: ${now}`;
    }
  } catch {
    // The connection is lost; the next `hello` triggers a refresh.
  }
  lastRefresh = Date.now();
  // The server has read only part of a long history. It reads more on each request.
  if (document.getElementById('partly') !== null) setTimeout(refreshSoon, SHORTEST_BREAK_MS);
  isPlanned = false;
}
