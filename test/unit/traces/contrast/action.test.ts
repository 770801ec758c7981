import { describe, expect, it } from 'vitest';
import { actionOf, commandOf, normalisedTool } from '../../../../src/core/traces/contrast/action';

const bash = (command: unknown) => ({ id: 'c', name: 'bash', args: { command } });

describe('what a call does', () => {
  it.each([
    ['ls -la', 'look'],
    ['cd /app && grep -rn x src | head -5', 'look'],
    ['cat a.py 2>&1 > /dev/null', 'look'],
    ['sed -n 1,20p a.py', 'look'],
    ['git log --oneline', 'look'],
    ["sed -i 's/a/b/' a.py", 'change'],
    ['cat > a.py <<EOF\nx\nEOF', 'change'],
    ['echo hi >> notes.txt', 'change'],
    ['cd a && git checkout -- b', 'change'],
    ['rm -rf build', 'change'],
    ['python -m pytest -x', 'run'],
    ['cd a; make test', 'run'],
    ['echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT', 'submit'],
  ])('%s: %s', (command, action) => {
    expect(actionOf(bash(command))).toBe(action);
  });

  it.each([
    ['str_replace_editor', { command: 'view', path: 'a' }, 'look'],
    ['str_replace_editor', { command: 'str_replace', path: 'a' }, 'change'],
    ['read_file', { path: 'a' }, 'look'],
    ['write_file', { path: 'a' }, 'change'],
    ['submit', {}, 'submit'],
    ['attempt_completion', { result: 'x' }, 'submit'],
    ['think', { thought: 'x' }, 'other'],
  ])('%s %j: %s', (name, args, action) => {
    expect(actionOf({ id: 'c', name, args })).toBe(action);
  });
});

describe('the name a call is compared by', () => {
  it.each([
    [bash('cd /a && FOO=1 timeout 5 /usr/bin/grep x'), 'shell:grep'],
    [{ id: 'c', name: 'shell', args: { command: ['bash', '-lc', 'ls -l'] } }, 'shell:ls'],
    [{ id: 'c', name: 'exec', args: { cmd: 'npm test' } }, 'shell:npm'],
    [{ id: 'c', name: 'edit', args: { command: 'insert', path: 'a' } }, 'edit:insert'],
    [{ id: 'c', name: 'Read', args: { file: 'a' } }, 'read'],
    [{ id: 'c', name: 'bash', args: 'pwd' }, 'shell:pwd'],
  ])('%j is %s', (call, name) => {
    expect(normalisedTool(call)).toBe(name);
  });

  it('arguments without a command have none', () => {
    expect(commandOf({ id: 'c', name: 'read', args: { path: 'a' } })).toBeNull();
    expect(commandOf({ id: 'c', name: 'read', args: null })).toBeNull();
  });
});
