import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Versions are pinned: tests name lines of these sources. */
export const realHarnesses = {
  'pi-coding-agent': '0.73.1',
  'mini-swe-agent': '2.4.6',
} as const;

const npmPackages = ['@mariozechner/pi-coding-agent', '@mariozechner/pi-agent-core', '@mariozechner/pi-ai'];

/**
 * Folder with a published harness, fetched once by its package manager and then used offline:
 * `${XDG_CACHE_HOME:-~/.cache}/harnessmith/harnesses/<name>-<version>`.
 * Throws with what to install or check when it cannot be had.
 */
export async function realHarness(name: keyof typeof realHarnesses): Promise<string> {
  const version = realHarnesses[name];
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'harnessmith', 'harnesses');
  const folder = join(cache, `${name}-${version}`);
  if (await stat(folder).catch(() => undefined)) return folder;
  await mkdir(cache, { recursive: true });
  const temporary = await mkdtemp(join(cache, '.fetch-'));
  try {
    const fetched =
      name === 'pi-coding-agent' ? await fetchNpm(temporary, version) : await fetchPython(temporary, name, version);
    // The folder appears whole or not at all; when two tests fetch at once the second one finds it there.
    await rename(fetched, folder).catch(async (error: unknown) => {
      if (!(await stat(folder).catch(() => undefined))) throw error;
    });
  } catch (error) {
    throw new Error(
      `${name} ${version} is not in ${cache} and could not be fetched: ${error instanceof Error ? error.message : String(error)}\n` +
        'The tests of real harnesses need it once. Check the network to the package registry and run them again.',
    );
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return folder;
}

/** The package with those packages of its scope that hold its loop and its providers, as an installation lays them out. */
async function fetchNpm(folder: string, version: string): Promise<string> {
  const main = join(folder, 'package');
  for (const name of npmPackages) {
    await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder, shell: process.platform === 'win32' });
    const archive = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
    if (!archive) throw new Error(`npm pack left no archive of ${name}`);
    const target = name === npmPackages[0] ? main : join(main, 'node_modules', ...name.split('/'));
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', join(folder, archive), '-C', target, '--strip-components=1']);
    await rm(join(folder, archive));
  }
  return main;
}

async function fetchPython(folder: string, name: string, version: string): Promise<string> {
  const target = join(folder, 'package');
  const install = [
    'install',
    '--quiet',
    '--no-deps',
    '--no-compile',
    '--disable-pip-version-check',
    '--target',
    target,
    `${name}==${version}`,
  ];
  const programs: [string, string[]][] = [
    ['python3', ['-m', 'pip', ...install]],
    ['pip3', install],
    ['uv', ['pip', 'install', '--quiet', '--no-deps', '--target', target, `${name}==${version}`]],
  ];
  const failures: string[] = [];
  for (const [program, args] of programs) {
    try {
      await run(program, args);
      return target;
    } catch (error) {
      failures.push(
        `${program}: ${(error instanceof Error ? error.message : String(error)).split('\n').slice(0, 3).join(' ')}`,
      );
    }
  }
  throw new Error(
    `no Python package manager worked (${failures.join('; ')}). Install one, for example: apt-get install python3-pip`,
  );
}
