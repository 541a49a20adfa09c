// Small parts of the page: its elements by name, lists to choose from, tabs, and work that waits for a pause.

declare global {
  /** The address of the worker; the build fills it in. */
  const PLAYGROUND_WORKER: string;
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

/** A function that does the task once so many milliseconds have passed without another call. */
export function afterPause(ms: number, task: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => void task(), ms);
  };
}
