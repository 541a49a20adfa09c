// Reads the percent-encoding of addresses: `%40` is `@`.

/** Returns text that is not valid percent-encoding unchanged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
