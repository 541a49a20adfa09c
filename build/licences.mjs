// Collects the licences of the bundled packages in a file in `dist`: name and version, then the text.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes the licences of `packages`, given by name, to the folder `out`. */
export function writeLicences(root, out, packages) {
  const entries = [...packages].sort().map((name) => {
    const folder = path.join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? 'The package holds no licence text.' : readFileSync(path.join(folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  writeFileSync(
    path.join(out, 'third-party-licences.txt'),
    `This program holds parts of these packages.\n\n${entries.join(`\n${'-'.repeat(80)}\n\n`)}`,
  );
}
