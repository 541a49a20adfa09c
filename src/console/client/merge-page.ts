// Keeps a page up to date: the server reports what changed, and the page fetches itself again, also after reconnecting, so it never misses
// a change. The newer copy is merged into the open page without losing anything that someone is reading, has opened, or has typed.
import { addCopyButtons, openFolds, openPart, watchForParts } from './parts.js';
import { localizeTimes, setClock } from './times.js';

const MOST_ROWS = 400;

function mergePage(newer: Document): void {
  localizeTimes(newer);
  const keepPlace = placeKeeper();
  document.title = newer.title;
  for (const id of ['numbers', 'count', 'causes', 'workflows', 'partly', 'answered']) replaceInside(id, newer);
  const [nav, newNav] = [document.querySelector('.top nav'), newer.querySelector('.top nav')];
  if (nav !== null && newNav !== null && nav.innerHTML !== newNav.innerHTML) nav.replaceWith(newNav);
  mergeRows(newer);
  mergeTasks(newer);
  for (const element of newer.querySelectorAll<HTMLElement>('main [data-v][id]')) {
    const old = document.getElementById(element.id);
    if (old !== null && old.dataset.v !== element.dataset.v) replace(old, element);
  }
  for (const [from, to] of [
    ['values', 'head'],
    ['times', 'text'],
  ] as const)
    addBlock(newer, from, to);
  openFolds();
  keepPlace();
}

/** A new block, such as the outcome of a run that has just ended. */
function addBlock(newer: Document, name: string, after: string): void {
  const find = (page: Document, one: string): Element | null => page.querySelector(`main > .${one}, main > #${one}`);
  const [old, now, before] = [find(document, name), find(newer, name), find(document, after)];
  if (old === null && now !== null) before?.after(now);
  else if (name === 'values' && old !== null && now !== null) addMissing(old, now);
}

/** Inserts each section that the open page lacks after the one that it follows. */
function addMissing(old: Element, now: Element): void {
  let last: Element | null = null;
  for (const section of [...now.children]) {
    const known = section.id === '' ? null : document.getElementById(section.id);
    if (known === null && section.id !== '') {
      if (last === null) old.prepend(section);
      else last.after(section);
    }
    last = known ?? section;
  }
}

function replaceInside(id: string, newer: Document): void {
  const [old, now] = [document.getElementById(id), newer.getElementById(id)];
  if (old === null || old.contains(document.activeElement)) return;
  if (now === null) {
    if (id === 'partly' || id === 'causes') old.remove();
  } else if (old.innerHTML !== now.innerHTML) old.replaceWith(now);
}

/** Keeps open sections open, with what they have loaded, and the focus where it was. */
function replace(old: HTMLElement, now: HTMLElement): void {
  if (old.matches('.task') && isInUse(old)) return;
  addCopyButtons(now);
  keepTyped(old, now);
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  for (const details of old.querySelectorAll<HTMLDetailsElement>('details[id][open]')) {
    const same = now.querySelector<HTMLDetailsElement>(`#${CSS.escape(details.id)}`);
    if (same === null) continue;
    same.open = true;
    // An answer that is still on its way would arrive in the old one.
    const isLoaded = details.dataset.loaded !== undefined && details.ariaBusy !== 'true';
    const isFinal = details.className === same.className && isLoaded;
    if (isFinal) {
      same.replaceChildren(
        ...[same.querySelector('summary'), ...[...details.childNodes].slice(1)].filter((node) => node !== null),
      );
      same.dataset.loaded = '';
    } else void openPart(same);
  }
  const box = old.querySelector<HTMLInputElement>('input[type=checkbox]');
  const newBox = now.querySelector<HTMLInputElement>('input[type=checkbox]');
  if (box !== null && newBox !== null) newBox.checked = box.checked;
  if (old instanceof HTMLDetailsElement && now instanceof HTMLDetailsElement) now.open = old.open;
  old.replaceWith(now);
  if (focused !== null) focusAgain(focused, sameField(focused, now) ?? elementAt(now, pathTo(old, focused)));
  watchForParts(now);
}

type Field = HTMLInputElement | HTMLTextAreaElement;
const isField = (element: Element): element is Field =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/** The field of the same form and name. What stands before it may have come or gone. */
const sameField = (field: Element, now: ParentNode): HTMLElement | null =>
  isField(field) && field.form !== null
    ? now.querySelector<Field>(
        `form[action="${CSS.escape(field.form.getAttribute('action') ?? '')}"] [name="${CSS.escape(field.name)}"]`,
      )
    : null;

function focusAgain(focused: Element, now: Element | undefined): void {
  (now as HTMLElement | undefined)?.focus({ preventScroll: true }); // it had the focus
  if (focused instanceof HTMLTextAreaElement && now instanceof HTMLTextAreaElement)
    now.setSelectionRange(focused.selectionStart, focused.selectionEnd);
}

/** Fields with text that is typed but not sent. */
const typedIn = (part: ParentNode): Field[] =>
  [...part.querySelectorAll<Field>('input:not([type]), input[type=search], textarea')].filter(
    (field) => field.value !== field.defaultValue,
  );

/** Keeps text that is typed but not sent in its form. */
function keepTyped(old: HTMLElement, now: HTMLElement): void {
  for (const field of typedIn(old)) {
    const same = sameField(field, now);
    if (same !== null && isField(same)) same.value = field.value;
  }
}

const pathTo = (root: Element, element: Element): number[] => {
  const path: number[] = [];
  for (let at: Element = element; at !== root && at.parentElement !== null; at = at.parentElement)
    path.unshift([...at.parentElement.children].indexOf(at));
  return path;
};
const elementAt = (root: Element, path: readonly number[]): Element | undefined =>
  path.reduce<Element | undefined>((at, index) => at?.children[index], root);

/** Inserts new runs at the top, but not under the pointer, the focus or a selection. In that case, a button offers them. */
function mergeRows(newer: Document): void {
  const rows = document.getElementById('rows');
  const newRows = newer.getElementById('rows');
  const [list, newList] = [document.getElementById('runs'), newer.getElementById('runs')];
  if (list === null || newList === null) return;
  if (rows === null) {
    list.replaceWith(newList);
    return;
  }
  markGone(rows, newer);
  if (newRows === null) return;
  const fresh = [...newRows.children].filter(({ id }) => document.getElementById(id) === null);
  // Rows below the first known one are older: they moved up from the next page.
  const known = [...newRows.children].findIndex(({ id }) => document.getElementById(id) !== null);
  const onTop = known === -1 ? fresh : fresh.filter((row) => [...newRows.children].indexOf(row) < known);
  const shown = new URLSearchParams(location.search);
  if (onTop.length === 0 || shown.has('cursor') || (shown.get('sort') ?? '') !== '') return;
  // More came at once than a page has, so that some are missing between these and the known ones.
  const isApart = known === -1;
  const add = (): void => {
    if (isApart) rows.replaceChildren();
    putOnTop(rows, onTop);
  };
  const isTop = rows.getBoundingClientRect().top >= 0;
  const isUsed = isTop ? rows.matches(':hover, :focus-within') || rows.querySelector(':checked') !== null : isApart;
  const news = document.getElementById('news');
  if (isUsed && news !== null) {
    const words = `Show ${onTop.length} new run${onTop.length === 1 ? '' : 's'}`;
    if (news.textContent === words) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = words;
    button.addEventListener('click', () => {
      news.replaceChildren();
      add();
    });
    news.replaceChildren(button);
    return;
  }
  news?.replaceChildren();
  add();
}

/** A run that the filter no longer finds stays in its place, and says so, but not what it waited for. */
function markGone(rows: HTMLElement, newer: Document): void {
  if ((new URLSearchParams(location.search).get('sort') ?? '') !== '') return;
  const all = [...rows.children];
  const isHere = (row: Element): boolean => newer.getElementById(row.id) !== null;
  // The newer list may end above the older rows.
  const end = newer.querySelector('.pages [rel=next]') === null ? all.length : all.map(isHere).lastIndexOf(true);
  for (const row of all.slice(0, Math.max(0, end))) {
    if (isHere(row) || !row.hasAttribute('data-v')) continue;
    row.removeAttribute('data-v'); // to be replaced if it comes back
    const note = document.createElement('span');
    note.className = 'hint';
    note.textContent = 'No longer in this list';
    row.querySelector('.state')?.replaceWith('Changed');
    for (const old of row.querySelectorAll('.about .hint')) old.remove();
    row.querySelector('.about')?.append(note);
  }
}

function putOnTop(rows: HTMLElement, fresh: readonly Element[]): void {
  for (const row of fresh) row.classList.add('fresh');
  rows.prepend(...fresh.filter(({ id }) => document.getElementById(id) === null));
  while (rows.childElementCount > MOST_ROWS) rows.lastElementChild?.remove();
}

function mergeTasks(newer: Document): void {
  const [tasks, newTasks] = [document.getElementById('tasks'), newer.getElementById('tasks')];
  if (tasks === null || newTasks === null) return;
  for (const old of [...tasks.querySelectorAll<HTMLElement>('.task')]) {
    if (newTasks.querySelector(`#${CSS.escape(old.id)}`) !== null) continue;
    if (!isInUse(old)) old.remove();
    else if (old.querySelector('.said') === null) {
      const note = document.createElement('p');
      note.className = 'said warning';
      note.role = 'alert';
      note.textContent = 'Somebody has answered this meanwhile.';
      old.querySelector('summary')?.after(note);
    }
  }
  let last: Element | undefined;
  for (const task of [...newTasks.children]) {
    const old = task.id === '' ? null : document.getElementById(task.id);
    if (old !== null) last = old;
    else if (task.classList.contains('task') || tasks.childElementCount === 0) {
      if (last === undefined) tasks.prepend(task);
      else last.after(task);
      last = task;
    }
  }
  if (tasks.querySelector('.task') !== null) tasks.querySelector('.empty')?.remove();
}

const isInUse = (task: HTMLElement): boolean =>
  task.contains(document.activeElement) ||
  [...task.querySelectorAll<HTMLTextAreaElement | HTMLInputElement>('textarea, input:not([type=hidden])')].some(
    ({ value }) => value !== '',
  );

/** Remembers what is at the top of the window. The returned function scrolls back to it. */
function placeKeeper(): () => void {
  if (scrollY === 0) return () => undefined;
  const anchor = [...document.querySelectorAll<HTMLElement>('main [id]')].find(
    (element) => element.getBoundingClientRect().top >= 0,
  );
  if (anchor === undefined) return () => undefined;
  const { top } = anchor.getBoundingClientRect();
  return () => {
    const now = document.getElementById(anchor.id)?.getBoundingClientRect().top;
    if (now !== undefined && now !== top) scrollBy({ top: now - top, behavior: 'instant' });
  };
}

const SHORTEST_BREAK_MS = 700;
/** The server sends something every 15 seconds. A connection that is silent this long is dead, whatever the browser thinks. */
const LONGEST_SILENCE_MS = 40_000;
/** After the server could not answer. */
const AGAIN_MS = 5_000;

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
      // Something may have changed since the page was made.
      refreshSoon();
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
      if (source?.readyState === EventSource.CLOSED) silence = setTimeout(open, AGAIN_MS);
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
/** Changes that call for a refresh. Those during a refresh call for another one. */
let changes = 0;

function refreshSoon(): void {
  changes++;
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(() => void refresh(), Math.max(50, lastRefresh + SHORTEST_BREAK_MS - Date.now()));
}

/** A click takes less time than this. */
const LONGEST_PRESS_MS = 1_000;

/** Whoever presses something that is then replaced would click on nothing. */
async function released(): Promise<void> {
  const until = Date.now() + LONGEST_PRESS_MS;
  while (document.querySelector(':active') !== null && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

async function refresh(): Promise<void> {
  const before = changes;
  try {
    const signal = AbortSignal.timeout(LONGEST_SILENCE_MS);
    const rows = document.getElementById('rows')?.childElementCount ?? 0;
    const response = await fetch(location.href, { headers: { 'X-Wf-Live': String(rows) }, signal });
    // Signed out, or the run is gone. Text that someone has typed survives signing in only if it is sent.
    if (response.status === 401 && (isSending || typedIn(document).length > 0)) show('out');
    else if (response.status === 401 || response.status === 404) location.reload();
    else if (response.ok) {
      const newer = new DOMParser().parseFromString(await response.text(), 'text/html');
      await released();
      const last = stateOfRun();
      mergePage(newer);
      const now = stateOfRun();
      const spoken = document.getElementById('said');
      if (now !== last && spoken !== null) spoken.textContent = `The run is now: ${now}`;
    } else setTimeout(refreshSoon, AGAIN_MS);
  } catch {
    // The stream, whose next `hello` would do, need not be lost as well.
    setTimeout(refreshSoon, AGAIN_MS);
  }
  lastRefresh = Date.now();
  // The server has read only part of a long history. It reads more on each request.
  if (document.getElementById('partly') !== null) setTimeout(refreshSoon, SHORTEST_BREAK_MS);
  isPlanned = false;
  if (changes !== before) refreshSoon();
}
