/** What each step of each run of a sample shows; checked by eye against the sample. */
export const expectedRows: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'rollout.jsonl': [
    [
      'system | "Rules"',
      'system | "<environment_context>x"',
      'user | "List files"',
      'agent | thinks "Think" | calls c1 shell {"cmd":"ls"} | calls c2 apply_patch "*** Begin" | tokens 10(2)/3',
      'tool | fails c1 "a"',
      'tool | answers c2 "ok"',
      'event compaction | "shorter"',
      'agent | "Done" | tokens 10(2)/3',
    ],
  ],
  'old-rollout.jsonl': [['user | "Hi"', 'agent | calls c1 shell {}']],
  'exec.log': [
    [
      'event reasoning | thinks "Hm"',
      'agent | calls i1 command_execution {"command":"ls"} | fails i1 "a"',
      'agent | calls i2 s.t {} | answers i2 "{\\"a\\":1}"',
      'agent | "Done"',
    ],
  ],
  'pi.jsonl': [
    [
      'user | "Go"',
      'agent | thinks "So" | calls c1 bash {"command":"ls"} | by m | tokens 4(9+1)/2 | costs 0.5',
      'tool | fails c1 "x"',
      'event compaction | "short"',
      'agent | "Done"',
    ],
  ],
  'gemini.jsonl': [
    [
      'user | "Go"',
      'agent | "final" | calls c1 shell {} | fails c1 "no" | by gemini-x | tokens 5(2)/1',
      'agent | "Done" | tokens 6(0)/1',
    ],
  ],
  'gemini-replaced.jsonl': [['user | "Kept"', 'agent | "Yes"']],
  'gemini.json': [['user | "Go"', 'agent | "Done" | thinks "A: B"']],
  'contents.json': [
    ['user | "Go"', 'agent | thinks "Plan" | calls call-1 ls {}', 'tool | answers call-1 "a"', 'agent | "Done"'],
  ],
  'qwen.jsonl': [
    ['user | "Go"', 'agent | calls c ls {} | by qwen | tokens 5/1', 'tool | fails c "bad"', 'agent | "Done"'],
  ],
  'chat.json': [
    [
      'user | "Go"',
      'agent | "Look" | calls c1 read {"a":1} | answers c1 "ab" | by copilot/m',
      'agent | "Done" | by copilot/m',
    ],
  ],
  'parts.json': [
    [
      'user | "Go"',
      'agent | "See b.ts" | calls t read {"message":"Read b"} | answers t "Read b"',
      'event aborted | "The user stopped the request."',
    ],
  ],
  'chat.jsonl': [
    [
      'user | "Second"',
      'agent | "Look" | calls c1 read {"a":1} | answers c1 "ab" | by copilot/m',
      'agent | "Done" | by copilot/m',
    ],
  ],
  'replay.json': [
    ['user | "Go"', 'agent | "Look" | by m | tokens 4/2 | takes 0.5', 'tool | calls t read {"a":1} | answers t "text"'],
  ],
  'copilot.jsonl': [
    [
      'user | "Go"',
      'agent | "Look" | calls c shell {"command":"ls"}',
      'event subagent_message | "inner"',
      'tool | fails c "no"',
      'event subagent | "helper"',
      'event compaction',
      'agent | "Done"',
    ],
  ],
  'kimi.jsonl': [
    [
      'user | "Go"',
      'agent | thinks "Hm" | calls c Bash {"command":"ls"}',
      'tool | answers c "a"',
      'event compaction | "short"',
      'agent | "Done"',
    ],
  ],
  'export.json': [
    ['user | "Go"', 'agent | "Done" | thinks "Hm" | calls c bash {} | fails c "no" | by m | tokens 3(4+1)/2'],
  ],
  'storage/session/p/ses.json': [['user | "Go"', 'event compaction', 'agent | calls c ls {} | answers c "a" | by m']],
  'story.md': [
    [
      'user | "Go"',
      'agent | "Look" | thinks "Hm" | calls at-136-1 Bash {"input":"`ls`"} | answers at-136-1 "a" | by model-x',
    ],
  ],
  '.aider.chat.history.md': [
    [
      'event note | "Aider v0.80.1\\nMain model: m with diff edit format"',
      'user | "fix it\\nplease"',
      'agent | "I will fix it.\\n\\n```json\\n{\\"a\\": 1}\\n```"',
      'event edit | "Tokens: 2.4k sent, 104 received. Cost: $0.25 message, $0.25 session.\\nApplied edit to a.py\\nCommit 1b2614a fix"',
    ],
    ['user | "second"', 'agent | "Done."'],
  ],
  'goose.jsonl': [['user | "Go"', 'agent | calls c shell {"command":"ls"}', 'tool | answers c "a"', 'agent | "Done"']],
  'claude-code.txt': [
    [
      'agent | "Look" | calls c Bash {} | by m | tokens 3(0+0)/7',
      'tool | fails c "a"',
      'agent | "Done" | tokens 4(0+0)/2',
    ],
  ],
  'log.json': [
    [
      'system | "Rules"',
      'user | "The whole task"',
      'agent | "Look" | calls c1 bash {"cmd":"ls"} | by p/m',
      'tool | fails c1 "a\\nlate"',
      'agent | "Done" | by p/m',
      'event grader | "C"',
      'event score | "C\\nright"',
    ],
  ],
  'trajectory.json': [
    [
      'user | "Go"',
      'agent | "Look" | calls 1 bash {"command":"ls"}',
      'agent | calls 2 read {"path":"a"}',
      'tool | fails 1 "a"',
      'tool | answers 2 "b"',
      'event compaction | "short"',
      'agent | "Done" | calls 6 finish {"final_thought":"Done"}',
    ],
  ],
  'output.jsonl': [
    ['user | "Go"', 'agent | calls history-2 run {"command":"ls"}', 'tool | answers history-2 "a"'],
    ['agent | calls 1 run {"command":"ls"}', 'tool | answers 1 "a"'],
  ],
  'events.jsonl': [
    [
      'system | "Rules"',
      'user | "Go"',
      'agent | "Look" | calls c1 terminal {"command":"ls"}',
      'tool | fails c1 "a"',
      'event compaction | "short"',
      'agent | "Done"',
    ],
  ],
  'conversation/base_state.json': [['user | "Go"', 'agent | "Done"']],
  'airline.json': [
    [
      'system | "Policy"',
      'user | "Book"',
      'agent | calls same book {"a":1}',
      'tool | answers same "ok"',
      'agent | "Booked"',
    ],
    [
      'system | "Policy"',
      'user | "Book"',
      'agent | calls same book {"a":1}',
      'tool | answers same "ok"',
      'agent | "Booked"',
    ],
  ],
  'tau2.json': [
    [
      'user | "Hi"',
      'agent | calls c1 look {}',
      'tool | fails c1 "none"',
      'user | calls c2 restart {}',
      'tool | answers c2 "ok"',
    ],
  ],
  'dojo.json': [['user | "Pay"', 'agent | calls c send {"a":1}', 'tool | fails c "ValueError"', 'agent | "Done"']],
  'promptfoo.json': [
    ['user | "Say hi"', 'agent | "hi" | tokens 2/1', 'event score | "passed: equal"'],
    ['system | "S"', 'user | "U"', 'agent | "timeout"'],
  ],
  'rollouts/val/formula__cand_0003__t1.json': [
    ['user | "Solve"', 'agent | "x = 1" | takes 2', 'event score | "Passed"'],
  ],
  'evolution/observations/batch_0002.jsonl': [
    ['user | "Solve"', 'agent | "done"', 'event score | "good"'],
    ['user | "Other"', 'agent | "trying"', 'agent | "no"'],
  ],
  'iterations/7/meta.json': [
    ['system | "prompt\\nBe exact."', 'user | "Q"', 'agent | "A"'],
    ['system | "prompt\\nBe exact."', 'agent | "{\\"answer\\":3}"'],
  ],
  'cleaned.json': [
    [
      'system | "Rules"',
      'user | "Go"',
      'agent | "Look" | calls c bash {"command":"ls"} | answers c "a" | takes 2',
      'agent | "Done"',
    ],
  ],
  'raw-trace.json': [['system | "S"', 'user | "Q1"', 'agent | "A1"', 'user | "Q2"', 'agent | "A2"']],
  'agent-logs/episode-0/prompt.txt': [
    [
      'user | "Solve the task"',
      'agent | "Look" | calls episode-0 terminal {"commands":[{"keystrokes":"ls\\n"}]}',
      'tool | answers episode-0 "b"',
      'agent | "no JSON"',
      'tool | answers null "c"',
      'agent | "Done" | calls episode-10 mark_task_complete {"commands":[]}',
    ],
  ],
  'agent/episodes/episode-0/request.json': [
    ['system | "Rules"', 'user | "Go"', 'agent | calls c bash {}', 'tool | answers c "a"', 'agent | "Done"'],
  ],
  'sessions/agent.cast': [
    [
      'event output | "$ "',
      'agent | calls input-84 keystrokes {"keys":"ls\\r"}',
      'tool | answers input-84 "a\\nb"',
      'agent | "Done"',
    ],
  ],
  'pydantic_1.report.json': [[]],
  'results.json': [[], []],
  'langfuse.json': [
    [
      'user | "Go"',
      'agent | calls c1 ls {} | by m | tokens 5/1 | costs 0.25 | takes 1',
      'tool | fails c1 "a" | takes 1',
    ],
  ],
  'langsmith.json': [
    ['user | "Go"', 'agent | calls c1 ls {} | tokens 4/2 | takes 1', 'tool | fails c1 "no such tool" | takes 1'],
  ],
  'response.json': [
    [
      'user | "Go"',
      'agent | calls c0 ls {}',
      'tool | answers c0 "a"',
      'agent | "Done" | thinks "Hm" | by m | tokens 9(3)/2',
    ],
  ],
  'items.jsonl': [['user | "Go"', 'agent | calls c f {} | calls d f {}', 'tool | answers c "x"']],
  'stream.sse': [['agent | "Look" | calls c ls {"a":1} | tokens 7(2)/9']],
  'chunks.txt': [['agent | "Hi there" | calls c f {}']],
  'managed.jsonl': [['user | "Go"', 'agent | calls e3 web.find {}', 'tool | answers e3 "x"', 'agent | "Done"']],
  'spans.jsonl': [
    ['user | "Go"', 'agent | calls c1 ls {} | by m | tokens 8/3 | takes 1', 'tool | fails c1 "broken" | takes 1'],
  ],
  'phoenix.json': [
    ['user | "Go"', 'agent | calls c1 ls {"a":1} | by m | tokens 4/1 | takes 1', 'tool | answers c1 "a" | takes 1'],
  ],
  'attributes.json': [['user | "Hi"', 'agent | "Hello" | by m']],
  'call.json': [['user | "Go"', 'agent | "Hi" | calls c f {} | tokens 5/1']],
  's.messages.json': [
    [
      'system | "x"',
      'event compaction | "Before"',
      'user | "Go"',
      'agent | calls c1 read {} | by m | tokens 9(4)/2 | costs 0.5',
      'tool | fails c1 "x"',
      'agent | "Done"',
    ],
  ],
  'ui_messages.json': [
    [
      'user | "Go"',
      'agent | "Draft done"',
      'agent | calls at-1767268803000 command {"command":"ls"}',
      'tool | answers at-1767268803000 "a"',
    ],
  ],
  'nested-names.json': [
    ['system | "Rules"', 'user | "Go"', 'agent | calls unnamed look {} | tokens 3/1', 'tool | answers unnamed "a"'],
  ],
  'plain-spans.json': [['event span | "first"', 'event span | "second"']],
  'cursor.jsonl': [['user | "Go"', 'agent | "Done"']],
  'request.json': [['system | "Rules"', 'user | "Go"']],
  'openclaw.jsonl': [['user | "Go"', 'agent | calls c1 ls {}', 'tool | answers c1 "x"']],
};
