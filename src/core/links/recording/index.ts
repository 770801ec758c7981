export { recordingFile } from './model';
export { type ModelFunction, modelFunctions } from './modelFunctions';
export { type RecordedRun, recordedRun, withRecorded } from './recordedLinks';
export { runRecorded } from './runRecorded';
