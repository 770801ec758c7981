export {
  type BootstrapOptions,
  biasCorrectedBootstrap,
  bootstrapMeans,
  exactBootstrapSums,
  pairedBootstrap,
  quantile,
} from './bootstrap';
export { fisherExact } from './fisher';
export { chiSquaredMcNemar, exactMcNemar, midPMcNemar } from './mcnemar';
export { type MeanWithError, mean, meanWithError, sampleVariance, type VarianceSplit, varianceSplit } from './moments';
export { anyFalseHit, benjaminiHochberg, holm } from './multiplicity';
export { normalCdf, normalQuantile } from './normal';
export { equivalenceP, nonInferiorityP, type PairedMean, pairedInterval, pairedMean } from './pairedMean';
export { bonettPrice, type PairedProportions, waldPaired } from './pairedProportions';
export { passAtK, passHatK } from './passAtK';
export {
  differenceVariance,
  type PairedVariance,
  type PlanningOptions,
  planningFactor,
  repeatsFor,
  resolvableGap,
  tasksFor,
} from './planning';
export { connorTasks, type Discordance, detectableGap, furtherTasks, mcnemarPower } from './power';
export { clopperPearson, wilson } from './proportion';
export {
  estimateFromSample,
  inclusionProbabilities,
  poissonSample,
  type SampledValue,
  type SampleEstimate,
} from './sampling';
export { expectedMaximum } from './selection';
export { anytimeP, type Boundary, lookLevels, repeatedLooksError } from './sequential';
export { exactSignFlip, type SignFlipOptions, signFlip } from './signFlip';
export { studentCdf, studentQuantile, studentTwoSided } from './studentT';
export { type SignedRank, signedRank } from './wilcoxon';
