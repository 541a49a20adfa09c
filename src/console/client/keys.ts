// Keys for people who use the console all day: `/` searches, `j` and `k` go through a list, `?` shows them. Whoever dictates can turn them off.

const KEYS: readonly (readonly [string, string])[] = [
  ['/', 'Search'],
  ['j', 'Next run, task or workflow'],
  ['k', 'The one before'],
  ['Enter', 'Open it'],
  ['?', 'Show these keys'],
];

/** The rows that `j` and `k` go through. */
const ITEMS =
  '#rows td a, .task > summary, .closed > li > a, .workflows h2 a, .code li.waiting .no, .code li.error .no, .effects summary';
const OFF = 'wf-keys-off';

export function listenForKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === '?') showKeys();
    else if (localStorage.getItem(OFF) !== null) return;
    else if (event.key === '/') search();
    else if (event.key === 'j') move(1);
    else if (event.key === 'k') move(-1);
    else return;
    event.preventDefault();
  });
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input:not([type=checkbox], [type=radio]), textarea, select, dialog') !== null;

function search(): void {
  const field = document.querySelector<HTMLInputElement>('#search');
  if (field === null) document.querySelector<HTMLAnchorElement>('.logo[href]')?.click();
  field?.focus();
  field?.select();
}

/** From where the focus is, which may be inside an item. */
function move(step: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>(ITEMS)].filter((item) => item.checkVisibility?.() !== false);
  const { activeElement } = document;
  const at = items.findIndex((item) => item === activeElement || item.closest('tr')?.contains(activeElement) === true);
  const next = at === -1 ? (step === 1 ? 0 : items.length - 1) : at + step;
  items[Math.min(Math.max(next, 0), items.length - 1)]?.focus();
}

function showKeys(): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog.keys') ?? newDialog();
  if (!dialog.open) dialog.showModal();
}

function newDialog(): HTMLDialogElement {
  const dialog = document.createElement('dialog');
  dialog.className = 'keys';
  dialog.ariaLabel = 'Keys';
  const list = document.createElement('dl');
  for (const [key, words] of KEYS) {
    const [term, meaning] = [document.createElement('dt'), document.createElement('dd')];
    term.textContent = key;
    meaning.textContent = words;
    list.append(term, meaning);
  }
  const label = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = localStorage.getItem(OFF) === null;
  box.addEventListener('change', () => (box.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, '1')));
  label.append(box, ' Use these keys');
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = 'Close';
  close.addEventListener('click', () => dialog.close());
  dialog.append(list, label, ' ', close);
  document.body.append(dialog);
  return dialog;
}
