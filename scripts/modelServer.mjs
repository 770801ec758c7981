// A server that speaks the OpenAI protocol and stands in for a model on this machine: it streams the recorded answers of
// the example, and counts tokens. What it shows is the way a proposal takes, not what a model can do.
//   node scripts/modelServer.mjs [answers.json] [port]
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const example = join(dirname(fileURLToPath(import.meta.url)), '..', 'examples', 'tinker');
const [file = join(example, '.harnessmith', 'answers.json'), port = '8080'] = process.argv.slice(2);
const { answers } = JSON.parse(readFileSync(file, 'utf8'));

/** Usual texts have about four characters a token. */
const tokens = (text) => Math.ceil(text.length / 4);

const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  if (request.method !== 'POST' || !request.url.endsWith('/chat/completions')) {
    response.writeHead(404, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ error: { message: `there is nothing at ${request.url}` } }));
  }
  const asked = JSON.parse(body)
    .messages.map((message) => message.content)
    .join('\n');
  const found = answers.find(({ contains = [] }) => contains.every((words) => asked.includes(words)));
  if (!found) {
    response.writeHead(404, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ error: { message: 'no recorded answer fits this request' } }));
  }
  const text = found.text ?? JSON.stringify(found.answer);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta, more = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'stand-in', choices: [{ index: 0, delta, finish_reason: more.usage ? 'stop' : null }], ...more })}\n\n`,
    );
  send({ role: 'assistant', content: '' });
  for (const content of text.match(/[\s\S]{1,60}/g)) send({ content });
  const [prompt, completion] = [tokens(asked), tokens(text)];
  send({}, { usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion } });
  response.end('data: [DONE]\n\n');
});
server.listen(Number(port), '127.0.0.1', () => {
  console.log(`A stand-in for a model listens on http://127.0.0.1:${server.address().port}/v1`);
});
