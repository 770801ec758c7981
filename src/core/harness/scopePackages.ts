import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextIfPresent } from '../store';

/**
 * Installed packages that are part of a harness published in parts: dependencies of the package in `folder` that carry its
 * own npm scope, and theirs. Folders relative to the root, sorted. Links to a workspace are left out, since their source
 * is in the repository already; packages that are not installed too.
 */
export async function ownScopePackages(root: string, folder: string): Promise<string[]> {
  const own = await readPackage(join(root, folder));
  const scope = own && /^(@[^/]+)\//.exec(own.name)?.[1];
  if (!own || !scope) return [];
  const found = new Set<string>();
  const queue = [...own.dependencies];
  for (let at = 0; at < queue.length; at++) {
    const name = queue[at] as string;
    const path = join(folder, 'node_modules', ...name.split('/')).replaceAll('\\', '/');
    // Names come from a file; one that climbs out of node_modules is no package name.
    if (!name.startsWith(`${scope}/`) || !/^@[\w.-]+\/[\w-][\w.-]*$/.test(name) || found.has(path)) continue;
    const full = join(root, path);
    if ((await realpath(full).catch(() => undefined)) !== full) continue;
    found.add(path);
    queue.push(...((await readPackage(join(root, path)))?.dependencies ?? []));
  }
  return [...found].sort();
}

/** Name and dependencies of a package.json; undefined when there is none that can be read as one. */
async function readPackage(folder: string): Promise<{ name: string; dependencies: string[] } | undefined> {
  const text = await readTextIfPresent(join(folder, 'package.json'));
  if (text === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || !('name' in parsed) || typeof parsed.name !== 'string')
      return undefined;
    const dependencies =
      'dependencies' in parsed && typeof parsed.dependencies === 'object' ? parsed.dependencies : null;
    return { name: parsed.name, dependencies: Object.keys(dependencies ?? {}) };
  } catch {
    // A package.json that does not parse is reported by the package manager; here it only means "no scope".
    return undefined;
  }
}
