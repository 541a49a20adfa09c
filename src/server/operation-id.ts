// Turns the names of workflows into the operation names of generated clients.

/** Reserved for the server's own operations. */
const own: readonly string[] = ['health', 'info', 'openapi'];

/**
 * Returns one unique `operationId` per name, in the same order: `order-review` becomes `runOrderReview`. They contain only
 * letters and digits, which every client generator accepts. A name without any becomes `runWorkflow`. If two names collide, the
 * later one gets a number.
 */
export function operationIds(names: readonly string[]): string[] {
  const used = new Set(own);
  return names.map((name) => {
    const wanted = `run${camelCase(name) || 'Workflow'}`;
    let id = wanted;
    for (let number = 2; used.has(id); number++) id = `${wanted}${number}`;
    used.add(id);
    return id;
  });
}

/** `ünit 2` → `Unit2`. Removes accents, then everything that is not a Latin letter or a digit. */
function camelCase(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{Mark}/gu, '');
  const words = plain.match(/[A-Za-z0-9]+/g) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
