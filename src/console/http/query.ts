// Reads the query of an address. The playground reads it as well.
export const queryParameters = (url: string): URLSearchParams => {
  const at = url.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
};

/** A whole number in an address, such as `?from=200`; 0 for anything else. */
export const wholeNumberIn = (query: URLSearchParams, name: string): number =>
  Math.max(0, Math.trunc(Number(query.get(name))) || 0);
