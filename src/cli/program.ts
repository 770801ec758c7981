import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { errorText } from './command';
import { commands } from './commands';

/** Exit code of wrong usage; see docs/cli.md. */
const wrongUsage = 2;

/** Runs the command line on arguments (without the program's own name); sets `process.exitCode`. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const program = new Command('harnessmith')
    .description('Handbook, traces beside the code, reviewed proposals and honest validation for agent harnesses.')
    .version(version)
    // Options belong to the command they follow, so that a command may hold others with options of the same name.
    .enablePositionalOptions()
    .showHelpAfterError('Use --help to see the options.');
  for (const command of commands()) program.addCommand(command);
  for (const command of [program, ...allCommands(program)]) command.exitOverride();
  try {
    await program.parseAsync(folderLast(args), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : wrongUsage;
    if (error.exitCode === 0 || !args.includes('--json')) return;
    const message = error.message.replace(/^error: /, '');
    process.stdout.write(`${errorText({ code: 'usage', message, nextStep: 'Use --help to see the options.' })}\n`);
  }
}

/** `-C FOLDER` belongs to each command; as with git and make it may also stand before it. */
function folderLast(args: readonly string[]): string[] {
  const [option, folder, name, ...rest] = args;
  if ((option !== '-C' && option !== '--directory') || folder === undefined || name === undefined) return [...args];
  const end = rest.indexOf('--');
  return [name, ...rest.toSpliced(end < 0 ? rest.length : end, 0, option, folder)];
}

function allCommands(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...allCommands(child)]);
}
