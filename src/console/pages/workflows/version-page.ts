// `/console/workflows/<name>/versions/<hash>`: the text of a version that runs have used, and what has changed since.
import { AT_A_TIME, codeLines, firstRanges } from '../../code/code-lines.js';
import { html } from '../../html/html.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, PageContext, PagePart } from '../console-page.js';
import { textNews } from '../run/rerun-page.js';
import { runsOfVersion } from './history-parts.js';

export async function versionPage(request: ConsoleRequest, context: PageContext): Promise<ConsolePage | PagePart | undefined> {
  const { store, workflows, textOf } = context;
  const [, , name = '', , hash = ''] = request.segments;
  const version = await store.text(hash);
  if (version === undefined || version.workflow !== name) return undefined;
  const address = `/console/workflows/${encodeURIComponent(name)}`;
  const view = textOf(version.text);
  const from = Number(request.query.get('from') ?? '');
  const lines = codeLines({
    lines: view.lines,
    ranges:
      Number.isInteger(from) && from > 0
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
<p class="hint">The text <code class="id">${hash.slice(0, 12)}</code>, as runs have used it.</p>
${textNews(version.text, workflows().find((workflow) => workflow.name === name)?.prepared.source)}
<ol class="code" id="code">${lines}</ol>
${await runsOfVersion(context, name, hash)}`,
  };
}
