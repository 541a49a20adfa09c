// The text of a Markdown page → the anchors that links to its headings may use.

/** As GitHub builds them: lower case, without punctuation, hyphens for spaces. */
export const anchorsOf = (text: string): string[] =>
  [...text.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
