import type { Tool } from './tool.ts';

export const submitTool: Tool = {
  name: 'submit',
  description: 'Say that the task is done.',
  parameters: {},
  effect: 'submits',
  async run() {
    return { output: 'submitted', status: 'ok' };
  },
};
