// Says in plain words why the operating system refused a file. Messages about files end with this.

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of the path is a file, not a folder',
  EEXIST: 'something else has that name',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large',
  ELOOP: 'its links form a circle',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  // Of `src/load-chunk.ts`.
  OTHER_BUILD: 'it belongs to another build',
};

/** The code of an error from `node:fs`, such as `ENOENT`; `""` for any other error. */
export function faultCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether this process, or its machine, may open no more files and connections at the moment. */
export const isOutOfFiles = (error: unknown): boolean => ['EMFILE', 'ENFILE'].includes(faultCode(reasonOf(error)));

/** `it is a folder`, `the disk is full`: the end of a sentence, without path or full stop. */
export function fileFault(error: unknown): string {
  const code = faultCode(reasonOf(error));
  return reasons[code] ?? (code === '' ? 'the system gave no reason' : `the system reports ${code}`);
}

/** Whether a part of wf itself could not be loaded. The loader of chunks marks such errors. */
export const isOfProgram = (error: unknown): error is Error => error instanceof Error && 'isOfProgram' in error;

const reasonOf = (error: unknown): unknown => (isOfProgram(error) ? error.cause : error);
