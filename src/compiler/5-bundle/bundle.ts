// Bundles an emitted module with the runtime into a file that anyone can import, with a source map to the `.wf` file.
import type { Emitted } from '../4-emit/emit.js';
import type { SourceMap } from '../4-emit/writer.js';
import { builtFoot, builtHead } from './built-module.js';
import { type BundleSettings, bundleText } from './esbuild-process.js';
import { splitInlineMap, withInlineMap } from './inline-map.js';

export interface Bundled {
  /** Without a reference to the map. */
  readonly code: string;
  /** `sources` contains the `.wf` file under the requested name, and the runtime. */
  readonly map: string;
}

/**
 * @param source the path of the `.wf` file for the source map
 * @throws Error with esbuild's message if an import can't be found
 */
export async function bundle(
  emitted: Emitted,
  settings: Omit<BundleSettings, 'head' | 'foot'>,
  source: string,
): Promise<Bundled> {
  const around = emitted.format === 'body' ? { head: builtHead, foot: builtFoot } : {};
  const text = withInlineMap(emitted.code, JSON.stringify(emitted.map));
  const { code, map } = splitInlineMap(await bundleText(text, { ...settings, ...around }));
  return { code, map: namedMap(map, emitted.map, source) };
}

/** The map with the `.wf` file under the requested name and its text, without the runtime's own text. */
function namedMap(json: string, emitted: SourceMap, source: string): string {
  const map: { sources: string[] } = JSON.parse(json);
  const [file = ''] = emitted.sources;
  const isWorkflow = (name: string): boolean => name === file || name.endsWith(`/${file}`);
  return JSON.stringify({
    ...map,
    sources: map.sources.map((name) => (isWorkflow(name) ? source : name.endsWith('runtime.mjs') ? 'wf-runtime' : name)),
    sourcesContent: map.sources.map((name) => (isWorkflow(name) ? (emitted.sourcesContent[0] ?? null) : null)),
  });
}
