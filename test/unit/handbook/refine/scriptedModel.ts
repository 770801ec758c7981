import { createModelClient, type ModelClient } from '../../../../src/core/models';
import { type ModelServer, type ReceivedRequest, type Reply, startModelServer } from '../../models/modelServer';

/** One unit as it was offered in a request. */
export interface Offered {
  alias: string;
  title: string;
  stage: string;
  evidence: { id: string; text: string }[];
}

export interface Said {
  unit: string;
  title: string | null;
  sentences: { text: string; evidence: string[] }[];
  stage: string | null;
  mergeInto: string | null;
}

/** What a request offers: units with evidence, and for a reviewer the items to judge. */
export function readRequest(request: ReceivedRequest): {
  isReview: boolean;
  text: string;
  units: Offered[];
  items: { id: string; what: string; text: string }[];
} {
  const { messages } = JSON.parse(request.said) as { messages: { role: string; content: unknown }[] };
  const contents = messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
  const text = contents.slice(1).join('\n');
  const units: Offered[] = [];
  for (const [, alias = '', title = '', stage = '', rest = ''] of text.matchAll(
    /^(u\d+): "([^\n]*)", kind [^\n]*, stage (\S+)\n([\s\S]*?)(?=^u\d+: "|$(?![\s\S]))/gm,
  )) {
    const evidence = [...rest.matchAll(/<<<data (\w+) (e\d+)[^\n]*\n([\s\S]*?)\ndata>>> \1/g)];
    units.push({
      alias,
      title,
      stage,
      evidence: evidence.map((match) => ({ id: match[2] ?? '', text: match[3] ?? '' })),
    });
  }
  const items = [...text.matchAll(/^(i\d+) (title|sentence|stage|merge): (.*)$/gm)];
  return {
    isReview: contents.join('\n').includes('"handbook_review"'),
    text,
    units,
    items: items.map((match) => ({ id: match[1] ?? '', what: match[2] ?? '', text: match[3] ?? '' })),
  };
}

export const nothing = (unit: string): Said => ({ unit, title: null, sentences: [], stage: null, mergeInto: null });

/** A true sentence about a unit: it quotes a line of the code it cites. */
export function honest({ alias, evidence }: Offered): Said {
  const [first] = evidence;
  const line =
    first?.text
      .split('\n')
      .find((one) => /\w{3}/.test(one) && !one.includes('`'))
      ?.trim() ?? '';
  return {
    ...nothing(alias),
    sentences: [{ text: `This part holds the line \`${line}\`.`, evidence: [first?.id ?? ''] }],
  };
}

/** A proposer that says what is given, and a reviewer that keeps all but what `drop` names. */
export function writes(say: (unit: Offered) => Said, drop: (text: string) => string | null = () => null) {
  return (request: ReceivedRequest): Reply => {
    const { isReview, units, items } = readRequest(request);
    if (!isReview) return { text: JSON.stringify({ units: units.map(say) }) };
    const verdicts = items.map(({ id, text }) => ({ item: id, keep: drop(text) === null, problem: drop(text) ?? '' }));
    return { text: JSON.stringify({ verdicts }) };
  };
}

export async function scriptedModel(
  replies: (Reply | ((request: ReceivedRequest) => Reply))[],
  settings: { timeoutSeconds?: number } = {},
): Promise<{ client: ModelClient; server: ModelServer }> {
  const server = await startModelServer(...replies);
  const client = await createModelClient(
    { provider: 'openai-compatible', model: 'scripted', baseUrl: server.baseUrl, apiKeyVariable: 'KEY', ...settings },
    { env: { KEY: 'k' }, retryPauseSeconds: 0.001 },
  );
  return { client, server };
}
