// Buttons that need a script: copy a command, select all runs.

export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>('pre.copy')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const command = block.querySelector('code');
      if (command === null) return;
      try {
        await navigator.clipboard.writeText(command.textContent ?? '');
        button.textContent = 'Copied';
      } catch {
        // Without TLS, browsers offer no clipboard. Select the text instead.
        getSelection()?.selectAllChildren(command);
        button.textContent = 'Selected';
      }
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    block.append(button);
  }
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
