// The fixed head and foot that turn the body of a built module into an ES module. wf itself runs the body as a function, because Node's
// module loader takes longer to start than a small run takes.

export const builtHead = 'const wf$module = {};';

export const builtFoot = `const { run: wf$run, workflow: wf$workflow } = wf$module;
wf$module.start(import.meta.url);
export { wf$run as run, wf$workflow as workflow };`;

/**
 * The body of a built module, for a function with the parameter `wf$module`; `undefined` for a module with plugins, or one not built by wf.
 */
export function builtBody(text: string): string | undefined {
  if (!text.startsWith(`${builtHead}\n`)) return undefined;
  const end = text.lastIndexOf(`\n${builtFoot}\n`);
  return end === -1 ? undefined : text.slice(builtHead.length, end + 1);
}
