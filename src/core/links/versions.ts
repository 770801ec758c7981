import { EnvironmentError } from '../errors';
import type { ProgramGraph } from '../graph';
import { git, type Harness, readHarnessFile } from '../harness';
import type { TraceRun } from '../traces';

/** Which version of the harness is checked out. */
export interface Checkout {
  /** As the package states it, such as `1.14.4`. */
  version: string | null;
  /** Names of the package and the folder, in lower case without separators. */
  names: readonly string[];
  /** Hash of the commit; null outside git. */
  commit: string | null;
  /** Versions and commits by the names of tags, such as `v1.14.4`. */
  tags: ReadonlyMap<string, string>;
}

/** What the trace says about the version of its harness, against the checkout. */
export interface VersionDrift {
  /** Version or commit of the trace. */
  trace: string;
  checkout: string;
  /** A revision to resolve against, when the repository has one for the version of the trace. */
  revision: string | null;
}

/** The version of the harness in its folder: from its package, its module, its commit. */
export async function checkoutOf(harness: Harness, graph: ProgramGraph): Promise<Checkout> {
  const head = await headOf(harness.root);
  const names = new Set([nameKey(harness.name)]);
  let version: string | null = null;
  for (const file of ['package.json', 'pyproject.toml', 'Cargo.toml', 'setup.cfg']) {
    const text = await readHarnessFile(harness, file).catch(() => ''); // most harnesses have one of them
    const name = /^\s*"?name"?\s*[:=]\s*"?([\w@./-]+)"?/m.exec(text)?.[1];
    if (name !== undefined) names.add(nameKey(name.split('/').at(-1) ?? name));
    version ??= /^\s*"?version"?\s*[:=]\s*"?(\d+\.[\w.+-]+)"?/m.exec(text)?.[1] ?? null;
  }
  const stated = graph.data.nodes.find((node) => node.kind === 'variable' && /^_*version_*$/i.test(node.name));
  version ??= /\d+\.[\w.+-]+/.exec(stated?.detail ?? '')?.[0] ?? null;
  return { version, names: [...names], commit: head, tags: head === null ? new Map() : await tagsOf(harness.root) };
}

/** Null where the trace tells no version, another program made it, or the versions are the same. */
export function driftOf(run: TraceRun, checkout: Checkout, recorded?: { commit: string | null }): VersionDrift | null {
  if (recorded?.commit) return recorded.commit === checkout.commit ? null : driftTo(recorded.commit, checkout, true);
  const told = run.agentVersion?.trim() ?? '';
  if (told === '' || !isOwn(run.agent, checkout)) return null;
  // A version may be a date, which has digits only.
  const isCommit = /^[0-9a-f]{7,64}$/.test(told) && /[a-f]/.test(told);
  if (isCommit)
    return checkout.commit === null || checkout.commit.startsWith(told) ? null : driftTo(told, checkout, true);
  const same =
    checkout.version === null
      ? checkout.commit !== null && revisionOf(told, checkout) === checkout.commit
      : bare(told) === bare(checkout.version);
  return same || (checkout.version === null && checkout.commit === null) ? null : driftTo(told, checkout, false);
}

/** In words, for a line or a notice. */
export function driftText({ trace, checkout, revision }: VersionDrift): string {
  const how = revision === null ? '' : `; --at-commit ${revision} resolves against the code that made it`;
  return `The trace was made by ${trace}, the checkout is ${checkout}${how}.`;
}

function driftTo(trace: string, checkout: Checkout, isHash: boolean): VersionDrift {
  const here = checkout.version ?? checkout.commit?.slice(0, 12) ?? 'unknown';
  const shown = isHash ? `commit ${trace.slice(0, 12)}` : `version ${trace}`;
  const checkedOut = isHash && checkout.commit !== null ? `commit ${checkout.commit.slice(0, 12)}` : `version ${here}`;
  return { trace: shown, checkout: checkedOut, revision: isHash ? trace : tagOf(trace, checkout) };
}

function tagOf(version: string, { tags }: Checkout): string | null {
  return [`v${bare(version)}`, bare(version), version].find((tag) => tags.has(tag)) ?? null;
}

function revisionOf(version: string, checkout: Checkout): string | undefined {
  return checkout.tags.get(tagOf(version, checkout) ?? '');
}

function bare(version: string): string {
  return version.replace(/^v/i, '');
}

/** The agent a trace names is this harness when one name holds the other; a trace without a name may be any. */
function isOwn(agent: string | null, { names }: Checkout): boolean {
  if (agent === null) return false;
  const name = nameKey(agent);
  return name.length >= 3 && names.some((one) => one.length >= 3 && (one.includes(name) || name.includes(one)));
}

function nameKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Null outside git, and where there is no git: a version may be known all the same. */
async function headOf(root: string): Promise<string | null> {
  try {
    const { stdout, exitCode } = await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], { allowFailure: true });
    return exitCode === 0 ? stdout.trim() : null;
  } catch (error) {
    if (error instanceof EnvironmentError) return null;
    throw error;
  }
}

async function tagsOf(root: string): Promise<Map<string, string>> {
  const format = '--format=%(refname:strip=2) %(objectname) %(*objectname)';
  const { stdout, exitCode } = await git(root, ['for-each-ref', '--count=5000', format, 'refs/tags'], {
    allowFailure: true,
  });
  if (exitCode !== 0) return new Map();
  return new Map(
    stdout.split('\n').flatMap((line): [string, string][] => {
      const [tag = '', own = '', peeled = ''] = line.split(' ');
      return tag === '' ? [] : [[tag, peeled || own]];
    }),
  );
}
