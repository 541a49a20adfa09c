// Loaded before wf while it is built: saves the machine code of its chunks in the folder WF_CODE_FOLDER. Each run adds the functions that it
// has compiled to those of the runs before.
const { writeFileSync } = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

/** Characters of a chunk below which reading its machine code takes longer than compiling it. */
const LEAST = 8_000;

const scripts = new Map();

vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options);
    const { dir, name } = path.parse(options.filename);
    if (path.basename(dir) === 'chunks' ? code.length >= LEAST : name === 'program') scripts.set(name, this);
  }
};

// Now, what matters has been compiled.
process.on('exit', () => {
  for (const [name, script] of scripts) writeFileSync(path.join(process.env.WF_CODE_FOLDER, name), script.createCachedData());
});
