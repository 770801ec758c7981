import ignore from 'ignore';
import { touchedFiles } from '../proposalStore';
import type { Gate } from './gate';

/** Files that decide whether a change is good: a proposal that edits them measures itself. */
const measuring = ['.github/', '.gitlab-ci.yml', '.ci/'];

/** No protected file and no continuous integration is touched. */
export const protectedFiles: Gate = {
  id: 'protected',
  check({ proposal, protectedPatterns }) {
    const byConfiguration = ignore().add(protectedPatterns);
    const byDefault = ignore().add(measuring);
    return touchedFiles(proposal).flatMap((file) => {
      if (byConfiguration.ignores(file)) return [{ file, message: 'the file is protected (harness.json)' }];
      return byDefault.ignores(file) ? [{ file, message: 'the file belongs to continuous integration' }] : [];
    });
  },
};
