import type { Detector } from './detector';
import { errorIgnored } from './errorIgnored';
import { environmentFault, exception } from './exception';
import { formatViolation } from './formatViolation';
import { limit } from './limit';
import { loop } from './loop';
import { lostInCompaction } from './lostInCompaction';
import { missingVerification } from './missingVerification';
import { noActionTurn } from './noActionTurn';
import { observationCut } from './observationCut';

/** All detectors. A new one is one file and one entry. */
export const detectors: readonly Detector[] = [
  formatViolation,
  noActionTurn,
  loop,
  errorIgnored,
  observationCut,
  limit,
  missingVerification,
  lostInCompaction,
  exception,
  environmentFault,
];
