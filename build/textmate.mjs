// Generates the TextMate grammar of workflows from the grammar file, for the colours of an editor before, or without, the language server.
import { translate } from '../grammar/compile.mjs';

const escaped = (word) => word.replace(/[^\w]/g, '\\$&');

/** @param {string} source text of the grammar file */
export function textMateGrammar(source) {
  // Longer words first, because the first that fits is taken.
  const words = [...translate(source).words].sort((one, other) => other.length - one.length || (one < other ? -1 : 1));
  return {
    name: 'wf',
    scopeName: 'source.wf',
    fileTypes: ['wf'],
    patterns: [
      { name: 'comment.line.number-sign.wf', match: '^\\s*#.*$' },
      {
        name: 'meta.trigger.wf',
        match: '^(\\s*)(trigger)(:)(.*)$',
        captures: { 2: { name: 'keyword.control.wf' }, 4: { name: 'string.unquoted.wf' } },
      },
      {
        name: 'meta.step.wf',
        match: '^(\\s*)(step)\\b(.*?):?\\s*$',
        captures: { 2: { name: 'keyword.control.wf' }, 3: { name: 'entity.name.section.wf' } },
      },
      { include: '#text' },
      { name: 'constant.numeric.wf', match: '(?<![\\w.-])-?\\d+(?:[.,]\\d+)*(?![\\w-])' },
      { name: 'keyword.control.wf', match: `(?<![\\w.-])(?:${words.map(escaped).join('|')})(?![\\w.-])` },
    ],
    repository: {
      text: {
        name: 'string.quoted.double.wf',
        begin: '"',
        end: '"|$',
        patterns: [
          { name: 'constant.character.escape.wf', match: '\\\\.' },
          { name: 'variable.other.wf', match: '\\{[^{}"]*\\}' },
        ],
      },
    },
  };
}
