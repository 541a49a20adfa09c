// Loaded before test files by `npm run fuzz`: their properties start from this seed, which a failure prints.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.WF_FUZZ_SEED) });
