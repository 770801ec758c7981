import type { GraphFile, ProgramGraph } from '../../graph';
import { isExampleFile, isForeignFile, isInterfaceFile, isTestFile } from '../vocabulary';

/** Average length of a line above which nobody wrote the file by hand. */
const packedLine = 180;
const builtFolder = /(^|\/)(dist|build|out|bundle|bundled|lib-cov)\//;
const codeFile = /\.(?:py|[cm]?[jt]sx?|go|rs)$/;
const asideFolder =
  /(^|\/)(docs?|scripts?|tools?\/scripts|benchmarks?|bench|extras?|contrib|experiments?|notebooks?|recipes|evals?|evaluation|devtools?|migrations?|acp|a2a[\w-]*|enterprise|telemetry|\.[\w-]+)\//;

/** What part of a repository a file belongs to, with regard to behaviours. */
export type FileRole = 'harness' | 'aside' | 'example' | 'interface' | 'outside';

/**
 * Roles of files. `outside` is nobody's behaviour: tests, vendored, generated and built files beside their source. `aside`
 * is code of the project that no run of the harness goes through as a rule: documents, scripts, benchmarks.
 */
export class Scope {
  private readonly roles = new Map<string, FileRole>();

  constructor(graph: ProgramGraph) {
    const code = graph.data.files.filter((file) => codeFile.test(file.path) && !isTestFile(file.path));
    const built = code.filter((file) => builtFolder.test(file.path)).length;
    // An installed package has only built files; beside sources they repeat them.
    const sources = code.filter(
      (file) => roleOf(file, true) === 'harness' || roleOf(file, true) === 'interface',
    ).length;
    const hasSources = sources >= Math.max(1, built / 2);
    for (const file of graph.data.files) this.roles.set(file.path, roleOf(file, hasSources));
  }

  role(file: string): FileRole {
    return this.roles.get(file) ?? (isTestFile(file) || isForeignFile(file) ? 'outside' : 'harness');
  }

  /** Whether behaviours are looked for in a file at all. */
  isInside(file: string): boolean {
    return this.role(file) !== 'outside';
  }
}

function roleOf(file: GraphFile, hasSources: boolean): FileRole {
  const { path } = file;
  if (isTestFile(path) || isForeignFile(path)) return 'outside';
  if (hasSources && builtFolder.test(path)) return 'outside';
  if (codeFile.test(path) && file.lines > 0 && file.bytes / file.lines > packedLine) return 'outside';
  if (isExampleFile(path)) return 'example';
  if (isInterfaceFile(path)) return 'interface';
  return asideFolder.test(path) ? 'aside' : 'harness';
}
