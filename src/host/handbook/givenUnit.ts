import { InputError } from '../../core/errors';
import type { Unit } from '../../core/handbook/model';
import type { FromTree } from '../ids';
import type { Services } from '../services';
import { UnitFinder } from './anchors';
import { mapOf } from './mapOf';
import { pickUnit, unitOf } from './unitPick';

/** The unit a command was given, else the one a person chooses; undefined when nobody did. Throws for one that is gone. */
export async function givenUnit(
  services: Services,
  given: FromTree | string,
  title: string,
): Promise<Unit | undefined> {
  const map = await mapOf(services);
  const id = unitOf(given);
  if (id === undefined) return pickUnit(services, map, { title });
  const unit = UnitFinder.of(map).unit(id);
  if (unit) return unit;
  throw new InputError('The handbook has no such unit any more.', {
    code: 'unit-unknown',
    nextStep: 'Refresh the handbook; the code it stood for was moved or removed.',
  });
}
