// The console's only script: times in the reader's zone, parts loaded on demand, buttons that copy and select, and pages that update. Every page
// works without it.
import { listenForKeys } from './keys.js';
import { follow } from './merge-page.js';
import { addCopyButtons, listenForParts, showNamed, watchForParts } from './parts.js';
import { keepCounting, localizeTimes, sendTimesOfDay } from './times.js';

localizeTimes(document);
keepCounting();
sendTimesOfDay();
addCopyButtons(document);
addSelectAll();
listenForParts();
listenForKeys();
watchForParts(document);
void showNamed();
addEventListener('hashchange', () => void showNamed());
follow();
document.querySelector<HTMLElement>('form[data-focus] :is(input:not([type=hidden]), select, textarea)')?.focus();
forgetNotice();
// Text that was typed before the session ended.
document.querySelector<HTMLFormElement>('form[data-send]')?.requestSubmit();

/** Shows the result of a form once, not again when the page is reloaded, and first of all to a screen reader. */
function forgetNotice(): void {
  const address = new URL(location.href);
  const { searchParams } = address;
  if (!searchParams.has('did') && !searchParams.has('why')) return;
  // To come to the part that the address names takes the focus away.
  addEventListener('load', () => document.querySelector<HTMLElement>('.notice')?.focus({ preventScroll: location.hash !== '' }));
  for (const name of ['did', 'done', 'of', 'why', 'mark']) searchParams.delete(name);
  history.replaceState(null, '', address);
}

function addSelectAll(): void {
  const head = document.querySelector('.runs th.pick');
  if (head === null) return;
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.ariaLabel = 'Select all runs of this page';
  box.addEventListener('change', () => {
    for (const one of document.querySelectorAll<HTMLInputElement>('.runs td.pick input')) one.checked = box.checked;
  });
  head.replaceChildren(box);
}
