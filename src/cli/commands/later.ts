import { EnvironmentError } from '../../core/errors';
import { answerWith, newCommand } from '../command';

/** A command of the contract that this version does not have; it says so and what to use instead. */
export function absentCommand(name: string, description: string, instead: string) {
  const command = newCommand(name, `${description} (comes in a later version)`).allowUnknownOption();
  answerWith(command, async () => {
    throw new EnvironmentError(`harnessmith ${name} comes in a later version.`, { code: 'absent', nextStep: instead });
  });
  return command;
}
