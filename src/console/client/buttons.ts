// Buttons that need a script: copy a command, select all runs.

export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>('pre.copy')) block.append(copyButton(block.querySelector('code')));
  for (const text of document.querySelectorAll<HTMLElement>('code[data-copy]')) text.after(' ', copyButton(text));
}

function copyButton(source: HTMLElement | null): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copies';
  button.textContent = 'Copy';
  button.addEventListener('click', () => void copy(source, source?.textContent ?? '', button));
  return button;
}

/** Says on the button what happened. */
async function copy(source: HTMLElement | null, text: string, button: HTMLElement): Promise<void> {
  const words = button.textContent;
  try {
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

export function addSelectAll(): void {
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
