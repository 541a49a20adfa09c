// The text of an emitted module → one that can be loaded: by anybody, with a source map to the `.wf` file, or by this program.
import type { Emitted } from '../4-emit/emit.js';
import type { SourceMap } from '../4-emit/writer.js';
import type { Bundler } from './esbuild-process.js';

export interface Bundled {
  /** Without a reference to the map. */
  readonly code: string;
  /** `sources` holds the `.wf` file under the name that was asked for, and the runtime. */
  readonly map: string;
}

const INLINE_MAP = /\n\/\/# sourceMappingURL=data:application\/json;base64,([A-Za-z0-9+/=]+)\s*$/;

/** Text of a module with its source map inside. */
const withInlineMap = (code: string, map: string): string =>
  `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}\n`;

const RUNTIME_IMPORT = /^import \{ (.*) \} from 'wf-runtime';$/m;

/**
 * For this program alone (`evaluate`). The functions of the runtime stay names of the module: through its exports, each use takes longer.
 * @param source where the source map is wanted, inside, and the bundler makes one: the `.wf` file as it is to name it
 */
export async function bundleForHere(emitted: Emitted, bundler: Bundler, source?: string): Promise<string> {
  const code = emitted.code.replace(RUNTIME_IMPORT, "const { $1 } = require('wf-runtime');");
  if (source === undefined) return bundler.bundle(code);
  const bundled = split(await bundler.bundle(withInlineMap(code, JSON.stringify(emitted.map))), emitted, source);
  return withInlineMap(bundled.code, bundled.map);
}

/** Bundles `emitted` for everybody; `source` is the path of the `.wf` file as the source map is to name it. */
export async function bundle(emitted: Emitted, bundler: Bundler, source: string): Promise<Bundled> {
  return split(await bundler.bundle(withInlineMap(emitted.code, JSON.stringify(emitted.map))), emitted, source);
}

function split(result: string, emitted: Emitted, source: string): Bundled {
  const inline = INLINE_MAP.exec(result);
  if (inline?.[1] === undefined) throw new Error('The bundle has no source map');
  return {
    code: result.slice(0, inline.index + 1),
    map: namedMap(Buffer.from(inline[1], 'base64').toString(), emitted.map, source),
  };
}

/** The map with the `.wf` file under the name that was asked for, and its text; the runtime's own text is left out. */
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
