// Whether someone looks at this process through source maps: with a debugger, or with `--enable-source-maps`. If so, modules
// are compiled and loaded in a slower way that keeps the maps.

const ASKS = /(?:^|\s)--(?:inspect|enable-source-maps)/;

/** True if the options of Node.js, or the debugger of an editor, ask for source maps. */
export function readsSourceMaps(): boolean {
  const { NODE_OPTIONS = '', VSCODE_INSPECTOR_OPTIONS } = process.env;
  return (
    ASKS.test(NODE_OPTIONS) || VSCODE_INSPECTOR_OPTIONS !== undefined || process.execArgv.some((option) => ASKS.test(option))
  );
}
