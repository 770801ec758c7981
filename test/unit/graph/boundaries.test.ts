import { describe, expect, test } from 'vitest';
import { decodeText, reasonToSkip } from '../../../src/core/graph/textFiles';
import { ends, graphOf } from './sources';

const reached = async (path: string, source: string) => {
  const { graph } = await graphOf({ [path]: source });
  return ends(graph, `${path}#f`, 'calls');
};

describe('what Python calls outside', () => {
  test.each<[string, string, string]>([
    ['import litellm', 'litellm.completion(model="m", messages=[])', 'model:litellm.completion'],
    ['from litellm import acompletion', 'acompletion(model="m")', 'model:litellm.acompletion'],
    ['from openai import OpenAI', 'OpenAI().chat.completions.create()', 'model:openai.OpenAI.chat.completions.create'],
    ['from openai import AsyncOpenAI as A', 'A().responses.create()', 'model:openai.AsyncOpenAI.responses.create'],
    ['import anthropic', 'anthropic.Anthropic().messages.create()', 'model:anthropic.Anthropic.messages.create'],
    ['import boto3', 'boto3.client("bedrock-runtime").converse()', 'model:boto3.client.converse'],
    ['from subprocess import Popen, PIPE', 'Popen(["ls"], stdout=PIPE)', 'process:subprocess.Popen'],
    ['import asyncio', 'asyncio.create_subprocess_shell("ls")', 'process:asyncio.create_subprocess_shell'],
    ['import os', 'os.system("ls")', 'process:os.system'],
    ['import docker', 'docker.from_env().containers.run("image")', 'process:docker.from_env.containers.run'],
    ['from pathlib import Path', '(Path("a") / "b").read_text()', ''],
    ['from pathlib import Path', 'Path("a").write_text("b")', 'filesystem:pathlib.Path.write_text'],
    ['import shutil', 'shutil.rmtree("a")', 'filesystem:shutil.rmtree'],
    ['', 'open("a")', 'filesystem:open'],
    ['import requests', 'requests.get("http://x")', 'network:requests.get'],
    ['import requests', 'requests.post("http://x/v1/chat/completions")', 'model:requests.post'],
    ['import httpx', 'httpx.AsyncClient().get("http://x")', 'network:httpx.AsyncClient.get'],
    ['import time', 'time.sleep(1)', 'clock:time.sleep'],
    ['import uuid', 'uuid.uuid4()', 'random:uuid.uuid4'],
    ['import json', 'json.loads("{}")', ''],
    ['import re', 're.compile("a").search("b")', ''],
  ])('%s: %s', async (imports, call, boundary) => {
    const found = await reached('a.py', `${imports}\n\ndef f():\n    ${call}\n`);
    // Making a client may be a boundary of its own.
    if (boundary === '') expect(found).toEqual([]);
    else expect(found).toContain(`boundary:${boundary}`);
  });

  test('a client kept in an attribute is still the client', async () => {
    const { graph } = await graphOf({
      'a.py': `import openai

class Model:
    def __init__(self):
        self.client = openai.OpenAI(api_key="x")
    def query(self):
        return self.client.chat.completions.create(messages=[])
`,
    });
    expect(ends(graph, 'a.py#Model.query', 'calls')).toEqual(['boundary:model:openai.OpenAI.chat.completions.create']);
    expect(graph.node('boundary:model:openai.OpenAI.chat.completions.create')).toMatchObject({
      kind: 'boundary',
      boundary: 'model',
      file: '',
    });
  });

  test('a function of the harness with the name of a library is no boundary', async () => {
    const { graph } = await graphOf({
      'pkg/__init__.py': '',
      'pkg/requests.py': 'def get(url): pass\n',
      'pkg/a.py': 'from . import requests\n\ndef f():\n    requests.get("http://x")\n',
    });
    expect(ends(graph, 'pkg/a.py#f', 'calls')).toEqual(['pkg/requests.py#get']);
  });
});

describe('what TypeScript calls outside', () => {
  test.each<[string, string, string]>([
    ["import { generateText } from 'ai';", 'generateText({})', 'model:ai.generateText'],
    [
      "import Groq from 'groq-sdk';",
      'new Groq().chat.completions.create({})',
      'model:groq-sdk.chat.completions.create',
    ],
    [
      "import { GoogleGenAI } from '@google/genai';",
      'new GoogleGenAI({}).models.generateContent({})',
      'model:@google/genai.GoogleGenAI.models.generateContent',
    ],
    [
      "import { ChatOpenAI } from '@langchain/openai';",
      'new ChatOpenAI().invoke([])',
      'model:@langchain/openai.ChatOpenAI.invoke',
    ],
    ["import { spawn } from 'child_process';", "spawn('ls')", 'process:child_process.spawn'],
    ["import { $ } from 'zx';", '$.sync()', 'process:zx.$.sync'],
    ["import * as pty from 'node-pty';", "pty.spawn('sh')", 'process:node-pty.spawn'],
    ["import { writeFile } from 'node:fs/promises';", "writeFile('a', 'b')", 'filesystem:fs/promises.writeFile'],
    ["import { globby } from 'globby';", "globby('*')", 'filesystem:globby.globby'],
    ["import axios from 'axios';", "axios.get('http://x')", 'network:axios.get'],
    ["import got from 'got';", "got('http://x/v1/messages')", 'model:got'],
    ["import { randomUUID } from 'node:crypto';", 'randomUUID()', 'random:crypto.randomUUID'],
    ['', 'setTimeout(() => {}, 10)', 'clock:setTimeout'],
    ["import { z } from 'zod';", 'z.object({}).parse({})', ''],
    ["import path from 'node:path';", "path.join('a', 'b')", ''],
  ])('%s %s', async (imports, call, boundary) => {
    const found = await reached('a.ts', `${imports}\nexport async function f() { await ${call}; }\n`);
    expect(found).toEqual(boundary === '' ? [] : [`boundary:${boundary}`]);
  });
});

describe('which files are worth parsing', () => {
  const line = (characters: number) => `${'a'.repeat(characters)}\n`;

  test.each<[string, string, boolean]>([
    ['a.min.js', 'a();\n', true],
    ['a-min.cjs', 'a();\n', true],
    ['admin.js', 'a();\n', false],
    ['a.js', line(1_200).repeat(20), true],
    ['a.js', line(900).repeat(40), false],
    // One long line in a short file is data or a prompt, not a bundle.
    ['a.py', line(15_000), false],
    ['a.ts', `${line(19_000)}${'b();\n'.repeat(100)}`, false],
  ])('%s (%#)', (path, text, skipped) => {
    expect(reasonToSkip(path, text) !== undefined).toBe(skipped);
  });

  test('text is told from bytes, in each encoding that sources have', () => {
    expect(decodeText(Buffer.from('gr\u00fc\u00dfe'))).toBe('gr\u00fc\u00dfe');
    expect(decodeText(Buffer.from('gr\xfc\xdfe', 'latin1'))).toBe('gr\u00fc\u00dfe');
    expect(decodeText(Buffer.from('\ufeffa', 'utf16le'))).toBe('a');
    expect(decodeText(Uint8Array.from([0xfe, 0xff, 0, 0x61]))).toBe('a');
    expect(decodeText(Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1]))).toBeUndefined();
    expect(decodeText(new Uint8Array())).toBe('');
  });
});

describe('prompts, descriptors and keys beside code', () => {
  const sources = {
    'prompts/system.md': 'You are {role}. Read files before you change them.\n',
    'README.md': 'This project runs an agent on tasks that people give to it.\n',
    'tools/grep.yaml':
      'name: grep_files\ndescription: Finds text in files of the project\nparameters:\n  type: object\n  properties:\n    pattern:\n      type: string\n',
    'config/agent.yaml':
      'agent:\n  step_limit: 40\n  system_template: |\n    You are a helper who answers {{ question }} with care.\n',
    'agent.py': `from pathlib import Path

def load():
    return Path("prompts/system.md").read_text()

def limits(config):
    return config["agent"]["step_limit"]

def render(config):
    return template(config["system_template"])

def execute_grep_files(pattern): pass
`,
  };

  test('a prompt file leads to the code that names it; a read-me that no code names is no prompt', async () => {
    const { graph } = await graphOf(sources);
    expect(graph.in('prompt:prompts/system.md', 'uses-prompt').map(({ from, line }) => `${from} ${line}`)).toEqual([
      'agent.py#load 4',
    ]);
    expect(graph.node('prompt:prompts/system.md')).toMatchObject({ signature: '{role}', start: 1, end: 1 });
    expect(graph.node('prompt:README.md')).toBeUndefined();
    expect(graph.data.files.map(({ path }) => path)).not.toContain('README.md');
  });

  test('a described tool leads to the function of its name, with its arguments', async () => {
    const { graph } = await graphOf(sources);
    expect(graph.node('tool:grep_files')).toMatchObject({ signature: 'pattern', start: 1, end: 7 });
    expect(ends(graph, 'tool:grep_files', 'implements-tool')).toEqual(['agent.py#execute_grep_files']);
  });

  test('a template under a key leads to its reader, and its placeholder is cut out', async () => {
    const { graph } = await graphOf(sources);
    const prompt = 'prompt:config/agent.yaml#agent.system_template';
    expect(graph.in(prompt, 'uses-prompt').map(({ from }) => from)).toEqual(['agent.py#render']);
    const literal = graph.data.literals.find(({ owner }) => owner === prompt);
    expect(literal).toMatchObject({ start: 4, end: 4 });
    expect(literal?.parts).toEqual(['You are a helper who answers ', null, expect.stringContaining('with care.')]);
    expect(graph.in('config:config/agent.yaml#agent.step_limit', 'reads').map(({ from }) => from)).toContain(
      'agent.py#limits',
    );
  });
});
