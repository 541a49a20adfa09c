// The page of the playground: connects the editor, the drawing, the rules and the form with the worker, and keeps the workflow in the address.
import { svgStyle } from '../../diagram/svg-style.js';
import type { Entries, Example, OpenFile, Ran } from '../protocol.js';
import { Editor, LEAVE } from './editor.js';
import { afterPause, element, every, fill, onTabs, option, showProblems } from './parts.js';
import { fragmentOf, type Shared, sharedIn } from './shared-address.js';
import { WorkerLink } from './worker-link.js';

/** The folder that the playground was started for, as the server, or a file beside the page, describes it. */
interface Folder {
  readonly files: readonly OpenFile[];
  readonly canWrite: boolean;
}

/** Milliseconds after which a run is stopped. */
const LONGEST_RUN = 8_000;

const EMPTY =
  'config:\n    name: "My workflow"\n    version: 1\n\nworkflow:\n    trigger: when someone tries it\n\n    complete\n';

class Playground {
  readonly #folder: Folder;
  readonly #worker: WorkerLink;
  readonly #editor: Editor;
  readonly #files = element('files', HTMLSelectElement);
  readonly #around = element('around', HTMLTextAreaElement);
  #known: readonly OpenFile[] = [];
  #name = 'workflow.wf';
  #request: Example['input'];
  #shape = '';
  /** The drawing of the text, without light. */
  #drawing = '';
  /** Whose drawing is shown. */
  #drawn = '';
  /** Counts how often Run was pressed: only the last run is shown. */
  #runs = 0;
  /** The last run of this very text. Its light stays, whatever arrives later, until the text changes or another run ends. */
  #ran: Ran | undefined;
  /** The fragment that this page has written. */
  #written = '';

  constructor(folder: Folder) {
    this.#folder = folder;
    this.#worker = new WorkerLink(firstWorker, (link) => {
      void link.ask('examples', {});
      void link.ask('know', { files: folder.files });
    });
    const parent = element('editor').attachShadow({ mode: 'open' });
    this.#editor = new Editor({
      parent,
      onChange: () => this.#changed(),
      onTab: () => note(LEAVE),
      proposals: (offset) => this.#worker.ask('complete', { ...this.#file, offset }),
      about: (offset) => this.#worker.ask('hover', { ...this.#file, offset }),
    });
  }

  get #file(): OpenFile {
    return { name: this.#name, text: this.#editor.text };
  }

  async start(): Promise<void> {
    const examples = await this.#worker.ask('examples', {});
    const { files, canWrite } = this.#folder;
    this.#known = [...files, ...examples];
    fill(this.#files, [
      ...(files.length === 0
        ? []
        : [{ label: 'Your files', options: files.map(({ name }, index) => option(String(index), name)) }]),
      {
        label: 'Examples',
        options: examples.map(({ text }, index) => option(String(files.length + index), /name: "(.*)"/.exec(text)?.[1] ?? '')),
      },
      { label: 'New', options: [option('new', 'Empty workflow')] },
    ]);
    element('save').hidden = !canWrite || files.length === 0;
    this.#listen();
    if (!(await this.#openAddress()))
      this.#open(
        files.length > 0
          ? '0'
          : String(
              files.length +
                Math.max(
                  0,
                  examples.findIndex(({ name }) => name === 'order-review.wf'),
                ),
            ),
      );
  }

  #listen(): void {
    this.#files.addEventListener('change', () => this.#open(this.#files.value));
    element('form').addEventListener('input', () => {
      element('result').className = 'old';
      this.#keepAddress();
    });
    element('share').addEventListener('click', () => void this.#share());
    element('format').addEventListener('click', () => void this.#format());
    element('save').addEventListener('click', () => void this.#save());
    element('form').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#run();
    });
    document.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void this.#run();
    });
    for (const id of ['drawing', 'result'])
      element(id).addEventListener('click', (event) => {
        const { target } = event;
        const found = target instanceof Element ? target.closest('[data-line], a') : null;
        const line = found?.getAttribute('data-line') ?? found?.getAttribute('href')?.slice(2);
        if (typeof line !== 'string') return;
        // The address is taken by the workflow.
        event.preventDefault();
        this.#editor.go({ line: Number(line) });
      });
    onTabs(element('tab-drawing'), element('tab-rules'));
    // Both may be wider than the page: the keyboard must be able to scroll them.
    for (const id of ['drawing', 'rules']) element(id).tabIndex = 0;
    element('try').tabIndex = -1;
    window.addEventListener('hashchange', () => location.hash !== this.#written && void this.#openAddress());
  }

  /** @param value of the list of workflows */
  #open(value: string): void {
    const file = value === 'new' ? { name: 'workflow.wf', text: EMPTY } : this.#known[Number(value)];
    if (file === undefined) return;
    this.#files.value = value;
    element('save').hidden = !this.#folder.canWrite || !this.#folder.files.includes(file);
    this.#show(file);
  }

  #show(
    { name, text, input, around }: OpenFile & Partial<Example>,
    request = input,
    settings = JSON.stringify(around, null, 2),
  ): void {
    this.#name = name;
    this.#request = request;
    this.#around.value = settings ?? '';
    this.#shape = '';
    this.#runs++;
    element('result').textContent = '';
    this.#editor.text = text;
  }

  /** Whether the address has a workflow that can be read. */
  async #openAddress(): Promise<boolean> {
    try {
      const shared = await sharedIn(location.hash);
      if (shared === undefined) return false;
      const index = this.#known.findIndex(({ name, text }) => name === shared.name && text === shared.text);
      const known = this.#known[index];
      every(this.#files, '[value=shared]', (old) => old.remove());
      if (known === undefined) this.#files.prepend(option('shared', `${shared.name}, from the address`));
      this.#files.value = known === undefined ? 'shared' : String(index);
      const own = this.#folder.files.some(({ name }) => name === shared.name);
      element('save').hidden = !this.#folder.canWrite || !own;
      this.#show(known ?? { name: shared.name, text: shared.text }, shared.request, shared.around);
      return true;
    } catch {
      note('The address holds no workflow that can be read. Was it cut off?');
      return false;
    }
  }

  #changed(): void {
    element('result').className = 'old';
    this.#light(undefined);
    this.#keepLook();
    this.#keepViews();
    this.#keepAddress();
  }

  readonly #keepLook = afterPause(20, async () => {
    const file = this.#file;
    const look = await this.#worker.ask('look', file);
    if (!this.#isShown(file)) return;
    this.#editor.show(look);
    showProblems(element('problems'), look.problems, {
      go: (offset) => this.#editor.go({ offset }),
      fix: (changes) => {
        this.#editor.change(changes);
        this.#editor.focus();
      },
    });
    this.#editor.keepInView();
  });

  readonly #keepViews = afterPause(150, () => this.#showViews());

  async #showViews(): Promise<void> {
    const file = this.#file;
    const { drawing, rules, fields, shape } = await this.#worker.ask('views', { ...file, request: this.#request });
    if (!this.#isShown(file)) return;
    this.#drawing = drawing;
    this.#draw();
    element('rules').innerHTML = rules;
    if (shape === this.#shape) return;
    const typed = this.#shape === '' ? [] : this.#entries;
    this.#shape = shape;
    element('fields').innerHTML = fields;
    // Typed values stay where there is still a field for them.
    for (const [name, value] of typed)
      every(element('fields'), `[name="${CSS.escape(name)}"]`, (field) => {
        if ('value' in field) field.value = value;
      });
  }

  /** Whether an answer about a file still fits; otherwise a change is on its way, which brings its own. */
  #isShown({ name, text }: OpenFile): boolean {
    return name === this.#name && text === this.#editor.text;
  }

  #light(ran: Ran | undefined): void {
    this.#ran = ran;
    this.#editor.light(ran?.lines ?? []);
  }

  /** Keeps the reader's place; a drawing that is wider than its pane begins in view. */
  #draw(): void {
    const pane = element('drawing');
    const isNew = pane.firstElementChild === null || this.#drawn !== this.#name;
    this.#drawn = this.#name;
    const { scrollLeft, scrollTop } = pane;
    pane.innerHTML = this.#ran?.drawing ?? this.#drawing;
    const start = pane.querySelector('.start')?.getBoundingClientRect();
    const frame = pane.getBoundingClientRect();
    const left = start === undefined ? 0 : start.left - frame.left + pane.scrollLeft + start.width / 2 - frame.width / 2;
    pane.scrollTo(isNew ? { left, top: 0 } : { left: scrollLeft, top: scrollTop });
  }

  get #entries(): Entries {
    return [...new FormData(element('form', HTMLFormElement))].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    );
  }

  async #run(): Promise<void> {
    const result = element('result');
    const count = ++this.#runs;
    result.className = '';
    result.textContent = 'Running…';
    try {
      // Another workflow was opened just now: the form is still that of the last one.
      if (this.#shape === '') await this.#showViews();
      const given = { ...this.#file, entries: this.#entries, around: this.#around.value };
      const ran = await this.#worker.askWithin(LONGEST_RUN, 'run', given);
      if (count !== this.#runs) return;
      result.innerHTML = ran.result;
      result.scrollIntoView({ block: 'nearest' });
      if (!this.#isShown(given)) return;
      this.#light(ran);
      this.#draw();
    } catch (error) {
      if (count === this.#runs) result.textContent = error instanceof Error ? error.message : 'The run could not start.';
    }
  }

  get #shared(): Shared {
    const around = this.#around.value;
    const entries = Object.fromEntries(this.#entries);
    return {
      ...this.#file,
      ...(this.#shape === '' ? {} : { request: requestIn(entries) }),
      ...(around === '' ? {} : { around }),
    };
  }

  async #writeAddress(): Promise<void> {
    this.#written = await fragmentOf(this.#shared);
    window.history.replaceState(null, '', this.#written);
  }

  readonly #keepAddress = afterPause(300, () => this.#writeAddress());

  async #share(): Promise<void> {
    await this.#writeAddress();
    try {
      await navigator.clipboard.writeText(location.href);
      note('The link is copied. It holds the whole workflow.');
    } catch {
      note('The link is in the address bar. It holds the whole workflow.');
    }
  }

  async #format(): Promise<void> {
    const before = this.#editor.text;
    const text = await this.#worker.ask('format', this.#file);
    if (text === undefined) note('Correct the mistakes first.');
    else if (text === before) note('It has its form already.');
    else if (before === this.#editor.text) this.#editor.change([changeBetween(before, text)]);
  }

  async #save(): Promise<void> {
    const { name, text } = this.#file;
    const address = `files/${encodeURIComponent(name)}`;
    const answer = await fetch(address, {
      method: 'PUT',
      body: text,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    }).catch(() => undefined);
    note(
      answer?.ok === true
        ? `Saved ${name}.`
        : `${name} was not saved: ${answer === undefined ? 'the playground has stopped' : await answer.text()}`,
    );
  }
}

/** The request that the fields hold, as far as JSON can say it; the form itself is read by the worker. */
function requestIn(entries: Readonly<Record<string, string>>): Record<string, unknown> {
  const request: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entries)) {
    const path = name.slice('field:'.length).split('.');
    let inside = request;
    for (const part of path.slice(0, -1)) {
      if (typeof inside[part] !== 'object' || !Object.hasOwn(inside, part)) inside[part] = Object.create(null);
      inside = inside[part] as Record<string, unknown>; // made above
    }
    inside[path.at(-1) ?? ''] = value;
  }
  return request;
}

/** The lines between the first and the last that differ. */
function changeBetween(before: string, after: string): { from: number; to: number; insert: string } {
  let from = 0;
  while (from < before.length && before[from] === after[from]) from++;
  let end = 0;
  while (end < Math.min(before.length, after.length) - from && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

const note = (text: string): void => {
  element('note').textContent = text;
};

async function folderOf(): Promise<Folder> {
  try {
    const answer = await fetch('files.json');
    return answer.ok ? ((await answer.json()) as Folder) : { files: [], canWrite: false }; // written by wf
  } catch {
    return { files: [], canWrite: false };
  }
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(svgStyle);
document.adoptedStyleSheets = [sheet];
await new Playground(await folderOf()).start();
