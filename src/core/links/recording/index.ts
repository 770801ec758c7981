export { assignSteps, type RanFunctions } from './assign';
export { type Recording, recordingEnding, recordingFile } from './model';
export { type ModelFunction, modelFunctions } from './modelFunctions';
export { readRecording } from './read';
export { type RecordedRun, recordedRun, withRecorded } from './recordedLinks';
export { type Recorded, type RecordRequest, runRecorded } from './runRecorded';
