// The console's only script: times in the reader's zone, parts loaded on demand, and pages that update. Every page works without it.
import { addCopyButtons, addSelectAll } from './buttons.js';
import { follow } from './follow.js';
import { listenForKeys } from './keys.js';
import { listenForParts, openFolds, watchForParts } from './parts.js';
import { keepCounting, localizeTimes } from './times.js';

localizeTimes(document);
keepCounting();
addCopyButtons();
addSelectAll();
listenForParts();
listenForKeys();
watchForParts(document);
openFolds();
addEventListener('hashchange', openFolds);
follow();
forgetNotice();
// What was typed before the session ended.
document.querySelector<HTMLFormElement>('form[data-send]')?.requestSubmit();

/** Shows the result of a form once, not again when the page is reloaded. */
function forgetNotice(): void {
  const address = new URL(location.href);
  if (!address.searchParams.has('did')) return;
  for (const name of ['did', 'done', 'of']) address.searchParams.delete(name);
  history.replaceState(null, '', address);
}
