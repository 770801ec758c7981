import { InputError } from '../../core/errors';
import type { BehaviourMap } from '../../core/handbook/model';
import type { Services } from '../services';

/** The map, indexed first if needed. Throws `InputError` when there is none. */
export async function mapOf(services: Services): Promise<BehaviourMap> {
  await services.harness.ensure();
  const map = services.harness.map;
  if (map) return map;
  throw new InputError('There is no handbook in this window yet.', {
    code: 'no-harness',
    nextStep: 'Open a folder with a harness, or run "Harnessmith: Open the Example".',
  });
}
