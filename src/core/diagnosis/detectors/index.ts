import { askedAgainAfterCompaction } from './askedAgainAfterCompaction';
import { commandTimeout } from './commandTimeout';
import { completionWithoutEffect } from './completionWithoutEffect';
import { contextOverflow } from './contextOverflow';
import { costOutlier } from './costOutlier';
import type { AcrossDetector, Detector } from './detector';
import { emptyResult } from './emptyResult';
import { environmentFault } from './environmentFault';
import { errorIgnored } from './errorIgnored';
import { exception } from './exception';
import { formatViolation } from './formatViolation';
import { guessedValue } from './guessedValue';
import { instructionNotActivated, instructionNotFollowed } from './instructions';
import { limit } from './limit';
import { loop } from './loop';
import { lostInCompaction } from './lostInCompaction';
import { missingVerification } from './missingVerification';
import { noActionTurn } from './noActionTurn';
import { observationCut } from './observationCut';
import { parserRejectsValid } from './parserRejectsValid';
import { permissionBlock } from './permissionBlock';
import { prematureCompletion } from './prematureCompletion';
import { refusal } from './refusal';
import { retriesExhausted } from './retriesExhausted';
import { subagentError } from './subagentError';
import { unknownTool } from './unknownTool';
import { wrongArguments } from './wrongArguments';

/** All detectors that look at one run. A new one is one file and one entry. */
export const detectors: readonly Detector[] = [
  formatViolation,
  parserRejectsValid,
  unknownTool,
  wrongArguments,
  noActionTurn,
  loop,
  errorIgnored,
  observationCut,
  emptyResult,
  guessedValue,
  lostInCompaction,
  askedAgainAfterCompaction,
  contextOverflow,
  limit,
  commandTimeout,
  retriesExhausted,
  permissionBlock,
  missingVerification,
  completionWithoutEffect,
  prematureCompletion,
  instructionNotFollowed,
  instructionNotActivated,
  subagentError,
  exception,
  environmentFault,
  refusal,
];

/** Those that look at a run beside the others. */
export const acrossDetectors: readonly AcrossDetector[] = [costOutlier];
