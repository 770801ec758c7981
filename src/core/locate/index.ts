export { type LocateInput, locate } from './locate';
export { LocateAnswer, LocatedSite, PlanItem, Premise } from './model';
