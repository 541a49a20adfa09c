// Small parts of the page: its elements by name, lists to choose from, tabs, work that waits for a pause, and the list of problems below
// the text, each with its place and a button for each fix.
import type { Problem, TextChange } from '../protocol.js';

declare global {
  // Of the entry point.
  var newWorker: () => Worker;
  var firstWorker: Worker;
}

export function element<Kind extends HTMLElement = HTMLElement>(id: string, kind?: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found === null || (kind !== undefined && !(found instanceof kind))) throw new Error(`The page has no ${id}`);
  return found as Kind; // checked above, or any element
}

export function every(inside: ParentNode, selector: string, task: (found: Element) => void): void {
  for (const found of inside.querySelectorAll(selector)) task(found);
}

export function option(value: string, text: string): HTMLOptionElement {
  return new Option(text, value);
}

export function fill(
  list: HTMLSelectElement,
  groups: readonly { readonly label: string; readonly options: readonly HTMLOptionElement[] }[],
): void {
  list.replaceChildren(
    ...groups.map(({ label, options }) => {
      const group = document.createElement('optgroup');
      group.label = label;
      group.append(...options);
      return group;
    }),
  );
}

/** Two tabs, for the mouse and for the arrow keys. */
export function onTabs(first: HTMLElement, second: HTMLElement): void {
  const choose = (chosen: HTMLElement): void => {
    for (const tab of [first, second]) {
      const isChosen = tab === chosen;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      element(tab.getAttribute('aria-controls') ?? '').hidden = !isChosen;
    }
  };
  for (const [tab, other] of [
    [first, second],
    [second, first],
  ] as const) {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', ({ key }) => {
      if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
      choose(other);
      other.focus();
    });
  }
}

/** A function that does the task once so many milliseconds have passed without another call, and the task before is done. */
export function afterPause(ms: number, task: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (isBusy) return later();
      isBusy = true;
      try {
        await task();
      } finally {
        isBusy = false;
      }
    }, ms);
  };
  return later;
}

interface Actions {
  readonly go: (offset: number) => void;
  readonly fix: (changes: readonly TextChange[]) => void;
}

const MOST_SHOWN = 50;

export function showProblems(place: HTMLElement, problems: readonly Problem[], { go, fix }: Actions): void {
  if (problems.length === 0) {
    const fine = document.createElement('p');
    fine.className = 'fine';
    fine.textContent = 'No problems';
    place.replaceChildren(fine);
    return;
  }
  const list = document.createElement('ul');
  for (const { line, severity, message, from, fixes } of problems.slice(0, MOST_SHOWN)) {
    const item = document.createElement('li');
    item.className = severity;
    const [first = '', ...more] = message.split('\n');
    item.append(
      button(`${severity === 'error' ? 'Error' : 'Warning'}, line ${line}`, 'quiet', () => go(from)),
      ` ${first}`,
      ...(more.length === 0 ? [] : [hint(more.join('\n'))]),
      ...fixes.map(({ title, changes }) => button(title, 'fix', () => fix(changes))),
    );
    list.append(item);
  }
  place.replaceChildren(list);
}

function button(text: string, kind: string, onClick: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = kind;
  made.textContent = text;
  made.addEventListener('click', onClick);
  return made;
}

function hint(text: string): HTMLElement {
  const made = document.createElement('div');
  made.className = 'hint';
  made.textContent = text;
  return made;
}
