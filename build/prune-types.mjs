// Deletes the type declarations that no export of the package leads to. The compiler writes one for each file of the program.
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const types = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'dist', 'types');

/** @throws Error if a declaration names one that does not exist */
function reachedFrom(file, reached = new Set()) {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.js['"]/g)) {
    const next = path.resolve(path.dirname(file), `${name}.d.ts`);
    if (!existsSync(next)) throw new Error(`${file} needs ${next}, which does not exist.`);
    reachedFrom(next, reached);
  }
  return reached;
}

function keepOnly(kept, folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) keepOnly(kept, place);
    else if (!kept.has(place)) rmSync(place);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

// The package.json there says that the declarations describe a CommonJS module.
keepOnly(reachedFrom(path.join(types, 'src', 'index.d.ts')).add(path.join(types, 'package.json')), types);
