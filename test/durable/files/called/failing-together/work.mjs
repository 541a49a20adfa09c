// The first calls of `one`, of the rounds and of the part fail, all in the same turn.
const { names, waiting } = globalThis.failingTogether;

export async function call({ parameters: { name } }) {
  const isFirst = !names.includes(name);
  names.push(name);
  if (!isFirst) return { value: name };
  if (name === 'handled') throw new Error(name);
  await new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length < 4) return;
    setTimeout(() => {
      for (const each of waiting) each();
    }, 200);
  });
  throw new Error(name);
}
