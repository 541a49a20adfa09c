// The trees of common lines, as the build made them: a part of its own, because several commands share it.
export { commonShapes } from 'wf:shapes';
