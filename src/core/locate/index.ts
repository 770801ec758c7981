export { type LocateInput, locate } from './locate';
export { LocateAnswer, LocatedSite, ModelShare, PlanItem, Premise } from './model';
export { defaultBudget, locateWithModel, type ModelLocateInput } from './withModel/locateWithModel';
