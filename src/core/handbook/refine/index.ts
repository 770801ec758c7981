export { RefineCost, RefinedUnit, RefineEstimate, RefineResult, type TokenPrice } from './model';
export { estimateRefinement, type RefineInput, type RefineOptions, refineHandbook } from './refine';
