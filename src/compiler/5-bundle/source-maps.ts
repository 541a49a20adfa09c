// Whether somebody looks at this process through source maps: a debugger, or traces with `--enable-source-maps`. Its own file, because
// the bundle and the loading must agree on it: both take the slower way then, which keeps the map.

const ASKS = /(?:^|\s)--(?:inspect|enable-source-maps)/;

/** True where the options of Node.js, or the debugger of an editor, ask for source maps. */
export function readsSourceMaps(): boolean {
  const { NODE_OPTIONS = '', VSCODE_INSPECTOR_OPTIONS } = process.env;
  return (
    ASKS.test(NODE_OPTIONS) || VSCODE_INSPECTOR_OPTIONS !== undefined || process.execArgv.some((option) => ASKS.test(option))
  );
}
