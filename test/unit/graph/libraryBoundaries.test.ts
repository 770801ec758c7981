import { describe, expect, test } from 'vitest';
import { graphOf } from './sources';

/**
 * Programs as the documentation of each library shows them. The kind says what the harness touches there; nothing else of
 * the program may count as touching the world.
 */
async function kindsOf(path: string, source: string): Promise<string[]> {
  const { graph } = await graphOf({ [path]: source });
  const kinds = graph.data.edges.flatMap(({ to, kind }) => {
    const boundary = kind === 'calls' ? graph.node(to)?.boundary : undefined;
    return boundary ? [boundary] : [];
  });
  return [...new Set(kinds)].sort();
}

describe('Go', () => {
  test.each<[string, string, string, string[]]>([
    [
      'genai',
      '"google.golang.org/genai"',
      'client, _ := genai.NewClient(ctx, nil)\n\tclient.Models.GenerateContent(ctx, "m", nil, nil)',
      ['model'],
    ],
    [
      'anthropic',
      '"github.com/anthropics/anthropic-sdk-go"',
      'client := anthropic.NewClient()\n\tclient.Messages.NewStreaming(ctx, anthropic.MessageNewParams{})',
      ['model'],
    ],
    [
      'go-openai',
      '"github.com/sashabaranov/go-openai"',
      'client := openai.NewClient("k")\n\tclient.CreateChatCompletion(ctx, openai.ChatCompletionRequest{})',
      ['model'],
    ],
    [
      'ollama',
      '"github.com/ollama/ollama/api"',
      'client, _ := api.ClientFromEnvironment()\n\tclient.Chat(ctx, nil, nil)',
      ['model'],
    ],
    ['langchaingo', '"github.com/tmc/langchaingo/llms"', 'llms.GenerateFromSinglePrompt(ctx, nil, "x")', ['model']],
    [
      'bedrock',
      '"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"',
      'client := bedrockruntime.NewFromConfig(cfg)\n\tclient.ConverseStream(ctx, nil)',
      ['model'],
    ],
    [
      'a started process',
      '"os/exec"',
      'cmd := exec.CommandContext(ctx, "sh")\n\tcmd.Env = nil\n\tcmd.Start()\n\tcmd.Wait()',
      ['process'],
    ],
    ['a signal', '"syscall"', 'syscall.Kill(1, 9)', ['process']],
    [
      'docker',
      '"github.com/docker/docker/client"',
      'cli, _ := client.NewClientWithOpts(client.FromEnv)\n\tcli.ContainerExecCreate(ctx, "id", nil)',
      ['process'],
    ],
    ['pty', '"github.com/creack/pty"', 'pty.Start(nil)', ['process']],
    ['folders', '"path/filepath"', 'filepath.WalkDir(".", nil)\n\tfilepath.Join("a", "b")', ['filesystem']],
    [
      'a virtual file system',
      '"github.com/spf13/afero"',
      'fs := afero.NewOsFs()\n\tafero.ReadFile(fs, "x")',
      ['filesystem'],
    ],
    ['sql', '"database/sql"', 'db, _ := sql.Open("sqlite", "x")\n\tdb.QueryContext(ctx, "select 1")', ['filesystem']],
    ['a server', '"net/http"', 'http.ListenAndServe(":80", nil)', ['network']],
    ['a socket', '"net"', 'net.DialTimeout("tcp", "x", 1)', ['network']],
    ['a websocket', '"github.com/gorilla/websocket"', 'websocket.DefaultDialer.Dial("ws://x", nil)', ['network']],
    ['ticks', '"time"', 'for range time.NewTicker(time.Second).C {\n\t}', ['clock']],
    ['ids', '"github.com/google/uuid"', 'uuid.NewString()', ['random']],
    ['entropy', '"crypto/rand"', 'rand.Read(nil)', ['random']],
    ['durations and layouts', '"time"', 'd, _ := time.ParseDuration("1s")\n\td.String()', []],
    ['names of files', '"path/filepath"', 'filepath.Base(filepath.Ext("a.b"))', []],
    ['the environment', '"os"', 'os.Getenv("A")\n\tos.Exit(1)', []],
    ['status texts', '"net/http"', 'http.StatusText(200)\n\thttp.Header{}.Get("x")', []],
    ['errors of a client', '"github.com/sashabaranov/go-openai"', 'e := openai.APIError{}\n\te.Error()', []],
  ])('%s', async (_, imported, body, kinds) => {
    expect(await kindsOf('a.go', `package a\n\nimport ${imported}\n\nfunc f() {\n\t${body}\n}\n`)).toEqual(kinds);
  });
});

describe('Rust', () => {
  test.each<[string, string, string[]]>([
    [
      'async_openai',
      'let client = async_openai::Client::new();\n    client.chat().create_stream(request).await?;',
      ['model'],
    ],
    ['genai', 'let client = genai::Client::default();\n    client.exec_chat(model, request, None).await?;', ['model']],
    [
      'rig',
      'let agent = rig::providers::openai::Client::from_env().agent("m").build();\n    agent.prompt("x").await?;',
      ['model'],
    ],
    ['ollama', 'ollama_rs::Ollama::default().generate(request).await?;', ['model']],
    [
      'a command of the standard library',
      'std::process::Command::new("ls").arg("-l").current_dir(".").output()?;',
      ['process'],
    ],
    ['a terminal', 'portable_pty::native_pty_system().openpty(size)?;', ['process']],
    ['a signal', 'nix::sys::signal::kill(pid, signal)?;', ['process']],
    [
      'docker',
      'bollard::Docker::connect_with_local_defaults()?.create_container(options, config).await?;',
      ['process'],
    ],
    ['files', 'tokio::fs::write("a", "b").await?;\n    std::fs::create_dir_all("c")?;', ['filesystem']],
    ['an open file', 'std::fs::File::open("a")?;', ['filesystem']],
    ['options of a file', 'std::fs::OpenOptions::new().append(true).open("a")?;', ['filesystem']],
    ['a walk', 'for entry in ignore::WalkBuilder::new(".").hidden(false).build() { drop(entry); }', ['filesystem']],
    ['a database', 'let db = rusqlite::Connection::open("x")?;\n    db.execute("delete", [])?;', ['filesystem']],
    ['a request', 'reqwest::get("https://x").await?.text().await?;', ['network']],
    ['a socket', 'tokio::net::TcpListener::bind("0:1").await?;', ['network']],
    ['time', 'let start = std::time::Instant::now();\n    std::thread::sleep(pause);', ['clock']],
    ['a date', 'chrono::Utc::now().to_rfc3339();', ['clock']],
    ['chance', 'rand::thread_rng().gen_range(0..9);', ['random']],
    ['durations', 'std::time::Duration::from_secs(1).as_millis();', []],
    ['paths', 'std::path::PathBuf::from("a").join("b");', []],
    ['addresses', 'url::Url::parse("https://x")?.host_str();', []],
    ['the end of the process', 'std::process::exit(1);', []],
  ])('%s', async (_, body, kinds) => {
    expect(await kindsOf('src/lib.rs', `async fn f() -> Result<()> {\n    ${body}\n    Ok(())\n}\n`)).toEqual(kinds);
  });
});

describe('Python', () => {
  test.each<[string, string, string, string[]]>([
    [
      'gemini',
      'from google import genai',
      'genai.Client().models.generate_content(model="m", contents="x")',
      ['model'],
    ],
    ['langchain', 'from langchain_openai import ChatOpenAI', 'ChatOpenAI(model="m").invoke("x")', ['model']],
    ['router', 'import litellm', 'litellm.Router(model_list=[]).completion(model="m")', ['model']],
    ['a session of vllm', 'from vllm import LLM', 'LLM(model="m").generate("x")', ['model']],
    ['a terminal', 'import pexpect', 'child = pexpect.spawn("sh")\n    child.sendline("ls")', ['process']],
    ['tmux', 'import libtmux', 'libtmux.Server().new_session().attached_pane.send_keys("ls")', ['process']],
    ['a remote shell', 'import paramiko', 'client = paramiko.SSHClient()\n    client.exec_command("ls")', ['process']],
    [
      'a container that was looked up',
      'import docker',
      'docker.from_env().containers.get("x").exec_run("ls").output.decode()',
      ['process'],
    ],
    ['a sandbox', 'import modal', 'modal.Sandbox.create("sleep", "1")', ['process']],
    ['code as text', '', 'exec(compile("1", "x", "exec"))', ['process']],
    ['a with', '', 'with open("a") as handle:\n        handle.read()', ['filesystem']],
    [
      'a temporary folder',
      'import tempfile',
      'with tempfile.TemporaryDirectory() as folder:\n        print(folder)',
      ['filesystem'],
    ],
    ['a path that is asked', 'import os', 'os.path.exists("a")', ['filesystem']],
    ['a path that is joined', 'import os', 'os.path.join("a", os.path.basename("b"))', []],
    ['a session', 'import aiohttp', 'session = aiohttp.ClientSession()\n    session.get("http://x")', ['network']],
    ['a socket', 'import socket', 'socket.create_connection(("x", 1))', ['network']],
    ['a date', 'from datetime import datetime', 'datetime.now().isoformat()', ['clock']],
    ['a delta', 'from datetime import timedelta', 'timedelta(seconds=1).total_seconds()', []],
    ['a choice', 'import random', 'random.choice([1])', ['random']],
    [
      'what a process gave',
      'import subprocess',
      'subprocess.CompletedProcess([], 0)\n    raise subprocess.CalledProcessError(1, "x")',
      [],
    ],
    ['encoding', 'import base64, json', 'base64.b64encode(json.dumps({}).encode())', []],
  ])('%s', async (_, imported, body, kinds) => {
    expect(await kindsOf('a.py', `${imported}\n\ndef f():\n    ${body}\n`)).toEqual(kinds);
  });
});

describe('TypeScript', () => {
  test.each<[string, string, string, string[]]>([
    [
      'anthropic',
      "import Anthropic from '@anthropic-ai/sdk';",
      "const client = new Anthropic();\n  await client.messages.stream({ model: 'm' });",
      ['model'],
    ],
    [
      'openai, kept in a field',
      "import OpenAI from 'openai';",
      'class M { client = new OpenAI(); ask() { return this.client.responses.create({}); } }\n  await new M().ask();',
      ['model'],
    ],
    [
      'bedrock',
      "import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';",
      'await new BedrockRuntimeClient({}).send(new ConverseCommand({}));',
      ['model'],
    ],
    ['a stream of the AI library', "import { streamText as ask } from 'ai';", 'ask({});', ['model']],
    [
      'a promised process',
      "import { exec } from 'node:child_process';\nimport { promisify } from 'node:util';",
      "await promisify(exec)('ls');",
      ['process'],
    ],
    [
      'a promised process with a name',
      "import * as util from 'util';\nimport { exec } from 'child_process';\nconst execAsync = util.promisify(exec);",
      "await execAsync('ls');",
      ['process'],
    ],
    [
      'a promised function of files',
      "import fs from 'fs';\nimport { promisify } from 'util';",
      "await promisify(fs.readFile)('a');",
      ['filesystem'],
    ],
    ['execa', "import { execa } from 'execa';", "await execa('ls');", ['process']],
    [
      'docker',
      "import Docker from 'dockerode';",
      "const container = new Docker().getContainer('x');\n  await container.exec({});",
      ['process'],
    ],
    ['all of fs', "import * as fs from 'fs';", "fs.promises.readFile('a');\n  fs.existsSync('b');", ['filesystem']],
    ['fs by its default', "import fs from 'node:fs/promises';", "await fs.mkdir('a');", ['filesystem']],
    ['required', "const { readFileSync } = require('fs');", "readFileSync('a');", ['filesystem']],
    ['watching', "import chokidar from 'chokidar';", "chokidar.watch('.');", ['filesystem']],
    ['a socket', "import WebSocket from 'ws';", "new WebSocket('ws://x').send('y');", ['network']],
    ['a server', "import http from 'node:http';", 'http.createServer(() => {});', ['network']],
    ['a date', '', 'new Date().toISOString();', ['clock']],
    ['chance', '', 'Math.floor(Math.random() * 3);', ['random']],
    ['arithmetic', '', 'Math.max(1, Number.parseInt("2"));', []],
    ['constants of fs', "import { constants } from 'node:fs';", 'console.log(constants.R_OK);', []],
    ['paths', "import path from 'node:path';", "path.resolve('a', path.basename('b'));", []],
    ['addresses', '', "new URL('https://x').searchParams.get('y');", []],
  ])('%s', async (_, imported, body, kinds) => {
    expect(await kindsOf('a.ts', `${imported}\nexport async function f() {\n  ${body}\n}\n`)).toEqual(kinds);
  });
});
