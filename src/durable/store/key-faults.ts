// What to say if a store and the key in WF_STORE_KEY don't match.

/** Message and hint, by the result of `readSecret`. */
export const keyFaults = {
  'needs a key': ['The store is encrypted, and WF_STORE_KEY is not set.', 'Set it to the key that the store was written with.'],
  'has another key': [
    'The store is encrypted with another key than the one in WF_STORE_KEY.',
    'Nothing was changed. Set it to the key that the store was written with; after "wf runs rekey", that is the new one.',
  ],
  'has no key': [
    'WF_STORE_KEY is set, and the store was written without a key.',
    'Unset it. To encrypt the store, run "wf runs rekey" with the key in WF_NEW_STORE_KEY and without WF_STORE_KEY.',
  ],
} as const;
