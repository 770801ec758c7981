import { isInterfaceFile, wordsOf } from '../vocabulary';
import type { Scope } from './scope';

/** A concern many harnesses have beside the turn: it has no kind of its own, but a name that a reader looks for. */
export interface Area {
  title: string;
  /** Words of a class, a file or a folder, in lower case and joined with a space. */
  names: RegExp;
}

/** In the order in which a file that fits several is filed. */
export const areas: readonly Area[] = [
  { title: 'MCP client', names: /\bmcps?\b|\bmodel context protocol\b/ },
  {
    title: 'Policy engine',
    names: /\b(?:policy|policies)( (?:engine|config|manager|updater|loader|store|catalog|integrity))?$|\bguardrails?\b/,
  },
  { title: 'Sandbox', names: /\bsandbox(?:ing|es|ed)?\b|\bseatbelt\b/ },
  {
    title: 'Hooks',
    names:
      /^hooks?$|\bhooks? (?:system|runner|registry|planner|aggregator|event handler|manager|executor|config|service|types|translator|engine|process|triggers?)\b/,
  },
  {
    title: 'Telemetry',
    names: /\btelemetry\b|\botel\b|\bopen telemetry\b|\bopentelemetry\b|\bposthog\b|\banalytics\b/,
  },
  { title: 'Checkpoints', names: /\bcheckpoint(?:s|ing|er)?\b|\bsnapshots?\b|\bsnaps\b|\bshadow git\b|\brewind\b/ },
  {
    title: 'Model routing',
    names:
      /\bmodel (?:router|routing|selector|selection|switcher)\b|^(?:llm |model )?rout(?:er|ing)( (?:service|strategy|strategies))?$|\b\w+ (?:routing )?strategy$/,
  },
  { title: 'Skills', names: /^skills?$|\bskills? (?:manager|loader|registry|store|service|discovery|activation)\b/ },
  { title: 'Language servers', names: /\blsp\b|\blanguage servers?\b/ },
  { title: 'Task list', names: /\btodos?\b|\btask (?:list|tracker|tracking)\b|\bplan mode\b/ },
];

/** A class with fewer members is a type that others use, whatever it is called. */
const leastMembers = 4;

/**
 * Area of the code of one class (or of the top level) of a file, by the name of the class, of the file, or of one of the two
 * folders around it. Interfaces, examples, scripts and tests have none.
 */
export function areaOf(file: string, owner: { name: string; members: number }, scope: Scope): Area | undefined {
  const role = scope.role(file);
  if (role === 'example' || role === 'outside' || isInterfaceFile(file)) return undefined;
  if (role === 'aside' && !/(^|\/)telemetry\//.test(file)) return undefined;
  const parts = file.split('/');
  const stem = (parts.at(-1) ?? '').replace(/\.[^.]*$/, '');
  const own = owner.members >= leastMembers ? owner.name : '';
  const names = [own, stem, parts.at(-2) ?? '', parts.at(-3) ?? ''].map((name) => wordsOf(name).join(' '));
  for (const name of names) {
    const found = name === '' ? undefined : areas.find((area) => area.names.test(name));
    // A strategy is one of routing only where the folder says so.
    if (found && !(found.title === 'Model routing' && /strategy$/.test(name) && !/rout/.test(file))) return found;
  }
  return undefined;
}

/** How much a definition is the area itself: the class named for it first, then whatever has most members. */
export function centrality(node: { kind: string; name: string }, members: number, area: Area): number {
  const words = wordsOf(node.name).join(' ');
  const isService = /\b(?:engine|manager|service|client|system|registry|router|runner|session|store)$/.test(words);
  return (
    (area.names.test(words) ? 6 - Math.min(3, words.split(' ').length - 1) : 0) +
    (isService ? 3 : 0) +
    (node.kind === 'class' ? 2 : 0) +
    Math.min(5, members / 4)
  );
}
