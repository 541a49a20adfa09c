// Canonical JSON: equal values have the same text, whatever the order of their fields. Two uses of a key are compared by it.

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    const sorted: Record<string, unknown> = Object.create(null);
    for (const name of Object.keys(item).sort()) sorted[name] = Reflect.get(item, name);
    return sorted;
  });
}
