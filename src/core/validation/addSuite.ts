import { InputError } from '../errors';
import { type Harness, HarnessConfig, openHarness, SuiteConfig } from '../harness';
import { describeIssues, ensureStore, readTextIfPresent, storePaths, writeFileAtomic } from '../store';

/**
 * Adds a suite to `harness.json`, which is made when there is none; other entries stay. Returns the harness as it is then.
 * @throws InputError when the name is taken or the suite is not as it must be.
 */
export async function addSuite(
  harness: Pick<Harness, 'root' | 'config'>,
  name: string,
  suite: Record<string, unknown>,
): Promise<Harness> {
  if (Object.hasOwn(harness.config.suites, name)) {
    throw new InputError(`There is a suite "${name}" already.`, {
      code: 'suite-taken',
      nextStep: 'Give another name with --name, or change the suite in harness.json.',
    });
  }
  const checked = SuiteConfig.safeParse(suite);
  if (!checked.success) {
    throw new InputError(`The suite would not work: ${describeIssues(checked.error)}`, {
      code: 'suite-wrong',
      nextStep: 'Give what is missing.',
    });
  }
  await ensureStore(harness.root);
  const file = storePaths(harness.root).harnessJson;
  const known = JSON.parse((await readTextIfPresent(file)) ?? '{}') as Record<string, unknown>;
  const config = { ...known, suites: { ...(known.suites as object | undefined), [name]: suite } };
  HarnessConfig.parse(config);
  await writeFileAtomic(file, `${JSON.stringify(config, null, 2)}\n`);
  return openHarness(harness.root);
}
