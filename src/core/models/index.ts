export { type AskModel, addUsage, answerInSchema, type RawAnswer } from './answer';
export type { CallWatch, ModelCall, StartedCall } from './calls';
export { watchCall } from './calls';
export type { ModelEnvironment, ModelSettings } from './config';
export { createModelClient } from './createModelClient';
export type { ModelAnswer, ModelClient, ModelMessage, ModelRequest, ModelUsage } from './model';
export {
  ModelAnswerError,
  ModelBudgetError,
  ModelError,
  ModelHostNotAllowedError,
  ModelKeyMissingError,
  ModelTimeoutError,
  ModelUnavailableError,
} from './modelErrors';
export { type ParsedModelJson, parseModelJson, schemaText } from './modelJson';
export { costAt, loadPrices, type PricedUsage, PriceFile, PriceList, pricesFile, TokenPrice } from './prices';
export { RecordedClient, recordingClient, requestHash } from './recorded';
export { RecordedAnswers } from './recordedFile';
export { callText, requestLog, requestLogFile } from './requestLog';
export { type MaskedText, mask, maskSecrets } from './secretMask';
export { type Budget, dollars, estimateTokens, Spending } from './spending';
