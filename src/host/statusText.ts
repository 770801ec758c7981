import type { HarnessState } from './harness/harnessService';
import { count } from './traces/words';

/** Text and tooltip of the status item; null when there is nothing to say. */
export function statusText(state: HarnessState, runs: number | null): { text: string; tooltip: string } | null {
  switch (state.status) {
    case 'idle':
    case 'none':
      return null;
    case 'indexing':
      return { text: `$(sync~spin) ${state.name}`, tooltip: `Harnessmith is indexing ${state.name}` };
    case 'error':
      return {
        text: '$(warning) Harnessmith',
        tooltip: `${state.message}${state.nextStep ? ` ${state.nextStep}` : ''}`,
      };
    case 'ready': {
      const facts = [count(state.map.units.length, 'behaviour unit')];
      if (runs !== null) facts.push(count(runs, 'run'));
      return { text: `$(book) ${state.head.name}`, tooltip: `Harnessmith: ${state.head.name}, ${facts.join(', ')}` };
    }
  }
}
