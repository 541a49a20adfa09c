// Shows how a workflow has run: its versions with their runs, each on a page, and how long each of its calls takes. Parts of the page of
// the workflow, read when someone opens them.
import type { RunSummary } from '../../../durable/model/run-views.js';
import { RunHistory } from '../../../durable/views/run-history.js';
import { AT_A_TIME, codeLines, firstRanges } from '../../code/code-lines.js';
import { type Html, html, nothing } from '../../html/html.js';
import { durationWords, moment } from '../../html/moment.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import { wholeNumberIn } from '../../http/query.js';
import type { ConsolePage, PageContext, PagePart } from '../console-page.js';
import { textNews } from '../run/rerun-page.js';
import { runAddress } from '../run/rounds-address.js';
import { filterQuery } from '../runs/run-filter.js';

/** Runs to look at: of versions, and of calls, which need their journals. */
const MOST_RUNS = 1_000;
const MOST_VERSIONS = 40;
const MOST_JOURNALS = 40;
const MOST_ENTRIES = 500;
const PAGE = 100;

async function newestRuns({ store }: PageContext, workflow: string, most: number): Promise<RunSummary[]> {
  const runs: RunSummary[] = [];
  for (let cursor: string | undefined; runs.length < most; ) {
    const page = await store.list({ workflow, withCalled: true, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    runs.push(...page.runs);
    cursor = page.next;
    if (cursor === undefined) break;
  }
  return runs.slice(0, most);
}

/** Enough of the hash of a version to tell it from others. */
export const shortHash = (hash: string): string => hash.slice(0, 12);

/** What has the same text, together: each version of wf compiles it to another module. In the order of the first of each group. */
export async function byText<T>(
  all: readonly T[],
  hashOf: (one: T) => string,
  { store }: Pick<PageContext, 'store'>,
): Promise<T[][]> {
  const contents = new Map<string, string | undefined>();
  for (const hash of new Set(all.map(hashOf))) contents.set(hash, (await store.text(hash))?.content);
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = contents.get(hashOf(one)) ?? hashOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

/** `GET /console/workflows/<name>/versions` */
export async function versionsPart(request: ConsoleRequest, context: PageContext): Promise<PagePart | ConsolePage> {
  const name = request.segments[2] ?? '';
  const runs = await newestRuns(context, name, MOST_RUNS);
  const versions = await byText(runs, ({ textHash }) => textHash, context);
  const address = `/console/workflows/${encodeURIComponent(name)}/versions`;
  const from = wholeNumberIn(request.query, 'from');
  const rows = versions.slice(from, from + MOST_VERSIONS).map((of) => {
    const [latest, first, hash = ''] = [of[0], of.at(-1), of[0]?.textHash];
    const failed = of.filter(({ status }) => status === 'error').length;
    const hashes = [...new Set(of.map(({ textHash }) => textHash))];
    // The list finds no runs that others have called by a version: theirs names the file, too.
    const count = hashes.some((one) => one.includes('/'))
      ? html`${of.length}`
      : html`<a href="/console?${filterQuery({ workflow: name, version: hashes.map(shortHash).join() })}">${of.length}</a>`;
    return html`<tr><td><a href="${address}/${encodeURIComponent(hash)}">v${latest?.version} <code class="id">${shortHash(hash)}</code></a></td><td>${first !== undefined && moment(first.createdAt)}</td><td>${latest !== undefined && moment(latest.createdAt)}</td><td class="num">${count}</td><td class="num">${failed}</td></tr>`;
  });
  const table = html`<table><thead><tr><th>Version</th><th>First run</th><th>Last run</th><th class="num">Runs</th><th class="num">Failed</th></tr></thead><tbody>${rows}</tbody></table>${versions.length > from + MOST_VERSIONS && html`<p><a href="${address}?from=${from + MOST_VERSIONS}">Older versions</a></p>`}${runs.length === MOST_RUNS && html`<p class="hint">Of the newest ${MOST_RUNS} runs.</p>`}`;
  return partOrPage(request, context, 'Versions', runs.length === 0 ? html`<p class="empty">No run has used it yet.</p>` : table);
}

interface Calls {
  readonly line: number;
  readonly what: string;
  readonly durations: number[];
  failures: number;
}

/** `GET /console/workflows/<name>/calls` */
export async function callsPart(request: ConsoleRequest, context: PageContext): Promise<PagePart | ConsolePage> {
  const name = request.segments[2] ?? '';
  const runs = await newestRuns(context, name, MOST_JOURNALS);
  const calls = new Map<string, Calls>();
  for (const { run } of runs) {
    const history = new RunHistory();
    history.feed((await context.store.journal(run, { limit: MOST_ENTRIES }))?.entries ?? []);
    for (const { kind, line, service, phrase, workflow, startedAt, finishedAt, ok } of history.effects) {
      if ((kind !== 'call' && kind !== 'workflow') || workflow !== undefined || line === undefined || finishedAt === undefined)
        continue;
      // The call that tells a person of a question has no words.
      const what = `${service}: ${phrase ?? 'notification'}`;
      // Its line is that of the newest text.
      const known = calls.get(what) ?? { line, what, durations: [], failures: 0 };
      calls.set(what, known);
      known.durations.push(finishedAt - startedAt);
      if (ok === false) known.failures++;
    }
  }
  const rows = [...calls.values()]
    .sort((one, other) => one.line - other.line)
    .map(({ line, what, durations, failures }) => {
      const sorted = durations.sort((one, other) => one - other);
      const part = (share: number): string => durationWords(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
      return html`<tr><td><a href="${request.isPart ? '' : `/console/workflows/${encodeURIComponent(name)}`}#L${line}">${line}</a></td><td><bdi>${what}</bdi></td><td class="num">${sorted.length}</td><td class="num">${failures}</td><td class="num">${part(0.5)}</td><td class="num">${part(0.95)}</td></tr>`;
    });
  const [latest] = runs;
  const table = html`<table class="calls"><thead><tr><th>Line</th><th>Call</th><th class="num">Calls</th><th class="num">Failed</th><th class="num">Median</th><th class="num">95% within</th></tr></thead><tbody>${rows}</tbody></table><p class="hint">Of the newest ${runs.length === 1 ? 'run' : `${runs.length} runs`}, with whatever text${latest !== undefined && html`, the last one ${moment(latest.createdAt)}`}. Retries and the waits between them count.</p>`;
  return partOrPage(
    request,
    context,
    'Calls',
    rows.length === 0 ? html`<p class="empty">No run has called anything yet.</p>` : table,
  );
}

/** The newest runs of one version, for its page. */
async function runsOfVersion(context: PageContext, workflow: string, hash: string): Promise<Html> {
  const groups = await byText([...new Set([hash, ...(await context.store.versionsOf(workflow))])], (one) => one, context);
  const version = groups[0]?.map(shortHash).join() ?? '';
  const { runs, next } = await context.store.list({ workflow, version, limit: 20 });
  if (runs.length === 0) return nothing;
  return html`<section aria-labelledby="its-runs"><h2 id="its-runs">Its newest runs</h2><ul>${runs.map(({ run, about, createdAt }) => html`<li><a href="${runAddress(run)}">${moment(createdAt)}</a> <bdi>${about}</bdi></li>`)}</ul>${next !== undefined && html`<p><a href="/console?${filterQuery({ workflow, version })}">All its runs</a></p>`}</section>`;
}

function partOrPage(
  { isPart, segments }: ConsoleRequest,
  { workflows }: PageContext,
  title: string,
  part: Html,
): PagePart | ConsolePage {
  if (isPart) return { part };
  const [, , name = ''] = segments;
  const served = workflows().find((workflow) => workflow.name === name);
  return {
    title,
    at: 'workflows',
    content: html`<p class="crumbs"><a href="/console/workflows">Workflows</a> / <a href="/console/workflows/${encodeURIComponent(name)}">${served?.prepared.workflow.name ?? name}</a></p><h1>${title}</h1>${part}`,
  };
}

export async function versionPage(request: ConsoleRequest, context: PageContext): Promise<ConsolePage | PagePart | undefined> {
  const { store, workflows, textOf } = context;
  const [, , name = '', , hash = ''] = request.segments;
  const version = await store.text(hash);
  if (version === undefined || version.workflow !== name) return undefined;
  const address = `/console/workflows/${encodeURIComponent(name)}`;
  const view = textOf(version.text);
  const from = wholeNumberIn(request.query, 'from');
  const lines = codeLines({
    lines: view.lines,
    ranges:
      from > 0
        ? [{ first: from, last: Math.min(view.lines.length, from + AT_A_TIME - 1) }]
        : firstRanges(view.lines.length, undefined),
    lineOf: () => ({ facts: { state: 'aside', note: '' } }),
    moreFrom: (line) => `${address}/versions/${hash}?from=${line}#L${line}`,
  });
  if (request.isPart) return { part: html`${lines}` };
  return {
    title: `${version.title} v${version.version}`,
    at: 'workflows',
    content: html`<p class="crumbs"><a href="/console/workflows">Workflows</a> / <a href="${address}">${version.title}</a></p><h1>${version.title} <span class="hint">v${version.version}</span></h1>
<p class="hint">The text <code class="id">${shortHash(hash)}</code>, as runs have used it.</p>
${textNews(version.text, workflows().find((workflow) => workflow.name === name)?.prepared.source)}
<ol class="code" id="code">${lines}</ol>
${await runsOfVersion(context, name, hash)}`,
  };
}
