// Collects the anchors of a Markdown page's headings.

/** As GitHub builds them: lower case, without punctuation, with hyphens for spaces. */
export const anchorsOf = (text: string): string[] =>
  [...text.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
