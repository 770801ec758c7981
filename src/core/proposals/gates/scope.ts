import { touchedFiles } from '../proposalStore';
import type { Gate } from './gate';

/** What the proposer declared is what it touches: no file more, no file less. */
export const scope: Gate = {
  id: 'scope',
  check({ proposal }) {
    const { modify, add, remove } = proposal.declares;
    const declared = [...modify, ...add, ...remove];
    const touched = touchedFiles(proposal);
    const undeclared = touched
      .filter((file) => !declared.some((entry) => isAbout(entry, file)))
      .map((file) => ({ file, message: 'it is changed but was not declared' }));
    const untouched = declared
      .filter((entry) => looksLikeFile(entry) && !touched.some((file) => isAbout(entry, file)))
      .map((entry) => ({ file: entry, message: 'it was declared but is not changed' }));
    return [...undeclared, ...untouched];
  },
};

/** Declarations name files, or symbols as `file#symbol`, `file:symbol` or `file::symbol`. */
function isAbout(entry: string, file: string): boolean {
  const path = entry.trim().replace(/^\.\//, '');
  return path === file || path.startsWith(`${file}#`) || path.startsWith(`${file}:`);
}

function looksLikeFile(entry: string): boolean {
  return entry.includes('/') || /\.\w{1,5}($|[#:])/.test(entry);
}
