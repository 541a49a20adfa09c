// Checks the names in the braces of a quoted text.
import type { Text } from '../../2-parse/tree.js';
import type { Checker } from '../checker.js';
import { checkReferenceInText } from './reference.js';

export function checkText(checker: Checker, { parts }: Text): void {
  for (const part of parts) if (typeof part !== 'string') checkReferenceInText(checker, part);
}
