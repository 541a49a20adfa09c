// Parts of a page that are loaded on demand: what a line sent and received, the rest of a long text or a large value. Also adds the buttons
// that copy an id, a command, an address or a value.
import { localizeTimes } from './times.js';

/** Fetches the part at an address, as elements. @throws if it can't be loaded */
async function load(address: string): Promise<DocumentFragment> {
  const response = await fetch(address, { headers: { 'X-Wf-Part': '1' } });
  if (!response.ok) throw new Error(String(response.status));
  const template = document.createElement('template');
  template.innerHTML = await response.text();
  localizeTimes(template.content);
  addCopyButtons(template.content);
  return template.content;
}

export function listenForParts(): void {
  document.addEventListener(
    'toggle',
    ({ target }) => target instanceof HTMLDetailsElement && target.open && void openPart(target),
    true,
  );
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-more]') : null;
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void loadMore(link);
  });
}

/** Loads the content of a folded effect. If that fails, its link remains. */
export async function openPart(details: HTMLDetailsElement): Promise<void> {
  const address = details.dataset.part;
  if (address === undefined || details.dataset.loaded !== undefined) return;
  details.dataset.loaded = '';
  details.ariaBusy = 'true';
  try {
    const part = await load(address);
    const summary = details.querySelector('summary');
    details.replaceChildren(...(summary === null ? [] : [summary]), part);
    // Where a drawing is wider than the window, its beginning is in view.
    details.querySelector('.start')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  } catch {
    delete details.dataset.loaded;
  }
  details.ariaBusy = null;
}

/** Whether it has come. */
async function loadMore(link: HTMLAnchorElement): Promise<boolean> {
  if (link.ariaBusy === 'true') return false;
  link.ariaBusy = 'true';
  try {
    put(await load(link.href), link);
    return true;
  } catch {
    link.ariaBusy = null;
    return false;
  }
}

/** Replaces the link with the loaded part. */
function put(part: DocumentFragment, link: HTMLAnchorElement): void {
  const item = link.closest('li');
  const list = part.querySelector('ul.tree');
  const text = part.querySelector('.leaf');
  const first = [...part.children].find((element) => element.matches('li'));
  if (first !== undefined && item?.classList.contains('rest')) {
    for (const line of [...part.children]) if (line.id !== '' && document.getElementById(line.id) !== null) line.remove();
    const parent = item.parentElement;
    item.replaceWith(part);
    if (parent !== null) watchForParts(parent);
  } else if (list !== null && item !== null && link.parentElement === item) {
    item.replaceWith(...list.children);
  } else if (text !== null) {
    link.replaceWith(...text.childNodes);
  } else {
    (link.parentElement?.localName === 'p' ? link.parentElement : link).replaceWith(part);
  }
}

/** Loads the rest of a text when it scrolls near. */
export function watchForParts(root: ParentNode): void {
  const links = root.querySelectorAll<HTMLAnchorElement>('a[data-more="near"]');
  if (links.length === 0) return;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !(target instanceof HTMLAnchorElement)) continue;
        observer.unobserve(target);
        void loadMore(target);
      }
    },
    { rootMargin: '400px' },
  );
  for (const link of links) observer.observe(link);
}

/** Comes to the line that the address names, also if it is not loaded yet. */
export async function showNamed(): Promise<void> {
  openFolds();
  const line = Number(/^#L(\d+)$/.exec(location.hash)?.[1]);
  const isAmong = ({ textContent }: Element): boolean => {
    const [first = 0, last = 0] = (textContent?.match(/\d+/g) ?? []).map(Number);
    return first <= line && line <= last;
  };
  while (document.getElementById(`L${line}`) === null) {
    const link = [...document.querySelectorAll<HTMLAnchorElement>('.code .rest a')].find(isAmong);
    if (link === undefined || !(await loadMore(link))) return;
    document.getElementById(`L${line}`)?.scrollIntoView();
  }
}

/** Opens the folded lines that the address names, and those where something happens now. */
export function openFolds(): void {
  const named = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
  const now = document.querySelectorAll('.fold :is(.current, .waiting, .error)');
  for (const line of [named, ...now]) line?.closest<HTMLDetailsElement>('.fold details')?.setAttribute('open', '');
}

export function addCopyButtons(root: ParentNode): void {
  for (const block of root.querySelectorAll<HTMLElement>('pre.copy')) block.append(copyButton(block.querySelector('code')));
  for (const text of root.querySelectorAll<HTMLElement>('[data-copy]')) text.after(' ', copyButton(text));
  for (const links of root.querySelectorAll<HTMLElement>('.raw')) links.append(' ', copyButton(links.querySelector('a')));
}

/** @param source a link stands for the text at its address */
function copyButton(source: HTMLElement | null): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copies';
  button.textContent = 'Copy';
  button.addEventListener('click', () => void copy(source, button));
  return button;
}

/** Says on the button what happened. */
async function copy(source: HTMLElement | null, button: HTMLElement): Promise<void> {
  const words = button.textContent;
  try {
    const text = source instanceof HTMLAnchorElement ? await (await fetch(source.href)).text() : (source?.textContent ?? '');
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    // Without TLS, browsers offer no clipboard. Select the text instead.
    if (source !== null) getSelection()?.selectAllChildren(source);
    button.textContent = 'Selected';
  }
  setTimeout(() => {
    button.textContent = words;
  }, 2000);
}
