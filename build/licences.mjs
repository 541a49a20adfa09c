// Says what `dist` is made of: the licences of the bundled packages, and a bill of materials in CycloneDX.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const readPackage = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** `@scope/name` and a version as a package URL (purl): the scope is percent-encoded. */
const packageUrl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** The licences of `packages`, given by name, as one text. */
export function licenceText(root, packages) {
  const entries = [...packages].sort().map((name) => {
    const folder = path.join(root, 'node_modules', name);
    const { version, license } = readPackage(folder);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? 'The package holds no licence text.' : readFileSync(path.join(folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `This program holds parts of these packages.\n\n${entries.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

export const writeLicences = (root, out, packages) =>
  writeFileSync(path.join(out, 'third-party-licences.txt'), licenceText(root, packages));

/**
 * Writes `sbom.cdx.json` to the folder `out` (CycloneDX 1.6). `packages` are bundled; what the package depends on is installed by npm next to
 * it. Has no date and no serial number, so that the same sources give the same file.
 */
export function writeBillOfMaterials(root, out, packages) {
  const { name, version, dependencies = {}, optionalDependencies = {} } = readPackage(root);
  const component = (alias, bundled) => {
    // `xlsx` is an alias: its package.json has the true name.
    const found = readPackage(path.join(root, 'node_modules', alias));
    const reference = packageUrl(found.name, found.version);
    return {
      type: 'library',
      'bom-ref': reference,
      name: found.name,
      version: found.version,
      purl: reference,
      ...(typeof found.license === 'string' && { licenses: [{ expression: found.license }] }),
      properties: [{ name: 'wf:bundled', value: String(bundled) }],
    };
  };
  const components = [
    ...[...packages].map((alias) => component(alias, true)),
    ...[...Object.keys(dependencies), ...Object.keys(optionalDependencies)].map((alias) => component(alias, false)),
  ].sort((a, b) => (a.purl < b.purl ? -1 : 1));
  const self = packageUrl(name, version);
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': self, name, version, purl: self, licenses: [{ expression: 'MIT' }] },
    },
    components,
    dependencies: [{ ref: self, dependsOn: components.map(({ purl }) => purl) }],
  };
  writeFileSync(path.join(out, 'sbom.cdx.json'), `${JSON.stringify(document, null, 2)}\n`);
}
