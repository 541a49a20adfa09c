// An esbuild plugin for the part of Ohm that wf bundles, which loads a grammar that the build has made and checked. Leaves out what makes
// recipes, follows a match step by step, changes an input or a grammar, checks a grammar and says what is wrong with it. And V8 takes two
// milliseconds to prepare the regular expressions for all categories of Unicode, which no rule of wf uses: with this replacement, it
// prepares what is matched.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const inOhm = (files) => new RegExp(String.raw`ohm-js[\\/]src[\\/](${files})\.js$`);

/** A module whose functions and classes refuse to work. */
export function refusing(file, why) {
  const names = [...readFileSync(file, 'utf8').matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)].map(
    ([, name]) => name,
  );
  const refuse = `const refuse = () => { throw new Error('${why}'); };`;
  return { contents: `${refuse}\nexport { ${names.map((name) => `refuse as ${name}`).join(', ')} };`, loader: 'js' };
}

const lazyCategories = `const pattern = (_, name) => ({
  test: (character) => new RegExp(name === 'Ltmo' ? '\\\\p{Lt}|\\\\p{Lm}|\\\\p{Lo}' : \`\\\\p{\${name}}\`, 'u').test(character),
});
export const UnicodeCategories = new Proxy({}, { has: () => true, get: pattern });
export const UnicodeBinaryProperties = {};`;

/** Methods that nothing calls. Bundlers keep all methods of a class, and what those use. */
const uncalled = {
  Grammar:
    'trace extendSemantics _topDownActionArity toRecipe toOperationActionDictionaryTemplate toAttributeActionDictionaryTemplate _toOperationOrAttributeActionDictionaryTemplate addSemanticActionTemplate',
  GrammarDecl: 'ensureSuperGrammarRuleForOverriding installOverriddenOrExtendedRule override extend',
  Builder: 'lex splice',
  Semantics: 'toRecipe extendOperationOrAttribute _forgetMemoizedResultFor iteration',
  MatchState: 'getMemoizedTraceEntry getTraceEntry getTrace',
  Matcher: 'trace',
  MatchResult: 'toString getExpectedText',
  Interval: 'coverageWith collapsedLeft collapsedRight getLineAndColumn getLineAndColumnMessage minus relativeTo',
  PosInfo: 'startLeftRecursion endLeftRecursion',
  nodes: 'indexOfChild onlyChild firstChild lastChild childBefore childAfter',
};

/**
 * Parts of modules that nothing comes to: how a failed match describes itself, rules that begin with themselves, of which wf has none, and
 * texts of expressions, except of applications, whose results Ohm keeps under them.
 */
const unreached = {
  MatchResult: /^ {4}if \(this\.failed\(\)\) \{\n[\s\S]*?^ {4}\}\n/m,
  'pexprs-eval': /^pexprs\.(?:Apply\.prototype\.(?:handleCycle|growSeedResult)|Lex\.prototype\.eval) = [\s\S]*?^\};\n/gm,
  'pexprs-toString': /^pexprs\.(?!PExpr|Apply)\w+(?:\.prototype)?\.toString = [\s\S]*?^\};\n/gm,
};

function withoutUncalled(file) {
  const name = path.basename(file, '.js');
  const methods = (uncalled[name] ?? 'none').replaceAll(' ', '|');
  return readFileSync(file, 'utf8')
    .replace(new RegExp(String.raw`^  (?:${methods})\(.*\) \{\n[^]*?^  \}\n`, 'gm'), '')
    .replace(unreached[name] ?? '', '');
}

export const leanOhm = {
  name: 'lean-ohm',
  setup(build) {
    build.onLoad({ filter: inOhm('pexprs-(outputRecipe|toArgumentNameList)|Trace') }, () => ({
      contents: 'export class Trace {}',
    }));
    build.onLoad({ filter: inOhm(String.raw`pexprs-assert\w+`) }, ({ path: file }) => ({
      contents: `import { PExpr } from './pexprs-main.js'; PExpr.prototype.${/assert\w+/.exec(path.basename(file))[0]} = () => {};`,
    }));
    build.onLoad({ filter: inOhm('pexprs-(isNullable|toDisplayString)') }, () => ({ contents: '' }));
    build.onLoad({ filter: inOhm([...Object.keys(uncalled), ...Object.keys(unreached)].join('|')) }, ({ path: file }) => ({
      contents: withoutUncalled(file),
    }));
    build.onLoad({ filter: inOhm('CaseInsensitiveTerminal') }, () => ({
      contents: `import { PExpr } from './pexprs-main.js';\nexport class CaseInsensitiveTerminal extends PExpr {}`,
    }));
    build.onLoad({ filter: inOhm('errors') }, ({ path: file }) => refusing(file, 'The grammar is at fault'));
    build.onLoad({ filter: inOhm('unicode') }, () => ({ contents: lazyCategories }));
  },
};
