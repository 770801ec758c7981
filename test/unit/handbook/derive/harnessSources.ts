/**
 * One small harness in four languages. All have the same behaviours in the same order: a limit, the model call with a
 * retry, an answer of the wrong form, the end, the command, the cut of its output and the observation. None asks for
 * permission, compacts the conversation or starts another agent.
 */
export interface HarnessSource {
  language: string;
  file: string;
  text: string;
  /** Names as the language writes them. */
  names: { run: string; ask: string; parse: string; act: string; cut: string; read: string };
}

const python = `import json
import subprocess
import time

import openai

client = openai.OpenAI()


class FormatError(Exception):
    pass


def load_config(path):
    with open(path) as file:
        return json.load(file)


def ask_model(messages):
    for attempt in range(3):
        try:
            return client.chat.completions.create(model="m", messages=messages)
        except openai.RateLimitError:
            time.sleep(2**attempt)
    raise RuntimeError("the model did not answer")


def parse_action(answer):
    if "run:" not in answer:
        raise FormatError("no action")
    return answer.split("run:")[1]


def run_command(command):
    done = subprocess.run(command, shell=True, capture_output=True, timeout=60)
    return truncate_output(done.stdout)


def truncate_output(text):
    if len(text) > 4000:
        return text[:4000] + "[cut]"
    return text


def run(task, config):
    messages = [{"role": "system", "content": "You are an agent."}, {"role": "user", "content": task}]
    cost = 0
    step = 0
    while True:
        if step >= config["step_limit"]:
            raise RuntimeError("limit")
        step += 1
        answer = ask_model(messages)
        cost += answer.usage.total_tokens
        messages.append({"role": "assistant", "content": answer})
        try:
            action = parse_action(answer)
        except FormatError as error:
            messages.append({"role": "user", "content": str(error)})
            continue
        if action == "finish":
            break
        observation = run_command(action)
        messages.append({"role": "user", "content": observation})
    return messages


if __name__ == "__main__":
    run("task", load_config("config.json"))
`;

const typescript = `import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import OpenAI from 'openai';

const client = new OpenAI();

export class FormatError extends Error {}

interface Message {
  role: string;
  content: string;
}

export function loadConfig(path: string): { stepLimit: number } {
  return JSON.parse(readFileSync(path, 'utf8'));
}

export async function askModel(messages: Message[]) {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      return await client.chat.completions.create({ model: 'm', messages });
    } catch (error) {
      await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** attempt));
    }
  }
  throw new Error('the model did not answer');
}

export function parseAction(answer: string): string {
  if (!answer.includes('run:')) throw new FormatError('no action');
  return answer.split('run:')[1];
}

export function runCommand(command: string): string {
  return truncateOutput(execSync(command, { timeout: 60000 }).toString());
}

export function truncateOutput(text: string): string {
  if (text.length > 4000) {
    return text.slice(0, 4000) + '[cut]';
  }
  return text;
}

export async function run(task: string, config: { stepLimit: number }) {
  const messages: Message[] = [{ role: 'system', content: 'You are an agent.' }, { role: 'user', content: task }];
  let cost = 0;
  let step = 0;
  while (true) {
    if (step >= config.stepLimit) {
      throw new Error('limit');
    }
    step += 1;
    const answer = await askModel(messages);
    cost += answer.usage.totalTokens;
    messages.push({ role: 'assistant', content: answer.text });
    let action = '';
    try {
      action = parseAction(answer.text);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      messages.push({ role: 'user', content: error.message });
      continue;
    }
    if (action === 'finish') {
      break;
    }
    const observation = runCommand(action);
    messages.push({ role: 'user', content: observation });
  }
  return messages;
}

run('task', loadConfig('config.json'));
`;

const go = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"
)

var client = openai.NewClient("key")

var ErrFormat = errors.New("no action")

type Config struct {
	StepLimit int
}

func LoadConfig(path string) Config {
	var config Config
	data, _ := os.ReadFile(path)
	json.Unmarshal(data, &config)
	return config
}

func AskModel(messages []string) string {
	for attempt := 0; attempt < 3; attempt++ {
		answer, err := client.CreateChatCompletion(context.Background(), openai.ChatCompletionRequest{Model: "m"})
		if err == nil {
			return answer.Choices[0].Message.Content
		}
		time.Sleep(time.Second * time.Duration(attempt))
	}
	return ""
}

func ParseAction(answer string) (string, error) {
	if !strings.Contains(answer, "run:") {
		return "", ErrFormat
	}
	return strings.Split(answer, "run:")[1], nil
}

func RunCommand(command string) string {
	output, _ := exec.Command("bash", "-c", command).CombinedOutput()
	return TruncateOutput(string(output))
}

func TruncateOutput(text string) string {
	if len(text) > 4000 {
		return text[:4000] + "[cut]"
	}
	return text
}

func Run(task string, config Config) []string {
	messages := []string{"You are an agent.", task}
	cost := 0
	step := 0
	for {
		if step >= config.StepLimit {
			return nil
		}
		step += 1
		answer := AskModel(messages)
		cost += len(answer)
		messages = append(messages, answer)
		action, err := ParseAction(answer)
		if errors.Is(err, ErrFormat) {
			messages = append(messages, err.Error())
			continue
		}
		if action == "finish" {
			break
		}
		observation := RunCommand(action)
		messages = append(messages, observation)
	}
	return messages
}

func main() {
	Run("task", LoadConfig("config.json"))
}
`;

const rust = `use async_openai::Client;
use std::process::Command;
use std::time::Duration;

pub struct Config {
    pub step_limit: usize,
}

pub fn load_config(path: &str) -> Config {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub async fn ask_model(messages: &[String]) -> String {
    let client = Client::new();
    for attempt in 0..3 {
        match client.chat().create(messages).await {
            Ok(answer) => return answer,
            Err(_) => std::thread::sleep(Duration::from_secs(attempt)),
        }
    }
    String::new()
}

pub fn parse_action(answer: &str) -> Result<String, FormatError> {
    answer.split("run:").nth(1).map(str::to_string).ok_or(FormatError)
}

pub fn run_command(command: &str) -> String {
    let output = Command::new("bash").arg("-c").arg(command).output().unwrap();
    truncate_output(String::from_utf8_lossy(&output.stdout).to_string())
}

pub fn truncate_output(text: String) -> String {
    if text.len() > 4000 {
        return format!("{}[cut]", &text[..4000]);
    }
    text
}

pub async fn run(task: &str, config: Config) -> Vec<String> {
    let mut messages = vec!["You are an agent.".to_string(), task.to_string()];
    let mut cost = 0;
    let mut step = 0;
    loop {
        if step >= config.step_limit {
            return messages;
        }
        step += 1;
        let answer = ask_model(&messages).await;
        cost += answer.len();
        messages.push(answer.clone());
        let action = match parse_action(&answer) {
            Ok(action) => action,
            Err(error) => {
                messages.push(error.to_string());
                continue;
            }
        };
        if action == "finish" {
            break;
        }
        let observation = run_command(&action);
        messages.push(observation);
    }
    messages
}

#[tokio::main]
async fn main() {
    run("task", load_config("config.json")).await;
}
`;

const snake = {
  run: 'run',
  ask: 'ask_model',
  parse: 'parse_action',
  act: 'run_command',
  cut: 'truncate_output',
  read: 'load_config',
};
const camel = {
  run: 'run',
  ask: 'askModel',
  parse: 'parseAction',
  act: 'runCommand',
  cut: 'truncateOutput',
  read: 'loadConfig',
};
const pascal = {
  run: 'Run',
  ask: 'AskModel',
  parse: 'ParseAction',
  act: 'RunCommand',
  cut: 'TruncateOutput',
  read: 'LoadConfig',
};

export const harnessSources: readonly HarnessSource[] = [
  { language: 'Python', file: 'agent.py', text: python, names: snake },
  { language: 'TypeScript', file: 'src/agent.ts', text: typescript, names: camel },
  { language: 'Go', file: 'main.go', text: go, names: pascal },
  { language: 'Rust', file: 'src/main.rs', text: rust, names: snake },
];
