// Buttons that copy what stands before them: an id, a command, an address, or a whole value as JSON.

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
