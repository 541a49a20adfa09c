// An example of what a pattern of `is like` describes. Requests and generated cases need texts that fit.

/** @param digit for each `#` @param any for each `*` */
export const exampleLike = (pattern: string, digit = '1', any = ''): string =>
  pattern.replaceAll('#', digit).replaceAll(/[@?]/g, 'A').replaceAll('*', any);
