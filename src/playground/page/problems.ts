// The list of problems below the text: each leads to its place, and has a button for each fix.
import type { Problem, TextChange } from '../protocol.js';

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
