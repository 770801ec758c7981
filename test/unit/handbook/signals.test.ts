import { describe, expect, it } from 'vitest';
import { isForeignFile, isTestFile, type UnitKind, wordsOf } from '../../../src/core/handbook';
import { toolKind } from '../../../src/core/handbook/derive/classify';
import { slug } from '../../../src/core/handbook/derive/drafts';
import { guardKind, handlerKind, loopHeadLimit, textKind } from '../../../src/core/handbook/derive/regionKinds';
import { statementsOf } from '../../../src/core/handbook/derive/statements';
import { looksLike } from '../../../src/core/handbook/derive/suspects';
import { tellingKinds } from '../../../src/core/handbook/vocabulary';

function guard(text: string): string | undefined {
  const lines = text.split('\n');
  const statement = statementsOf(lines, 1, lines.length)[0];
  return statement && guardKind(statement, text)?.kind;
}

describe('guards', () => {
  it.each([
    ['if self.n_calls >= self.config.step_limit:\n    raise LimitsExceeded()', 'limits'],
    ['if (turn >= maxTurns) {\n  break;\n}', 'limits'],
    ['if elapsed > 10:\n    return None', 'limits'],
    ['if self.messages[-1]["role"] == "exit":\n    break', 'termination'],
    ['if (error instanceof FormatError) {\n  continue;\n}', 'format_error'],
    ['if verbose:\n    print(x)', undefined],
  ])('%s is %s', (text, kind) => {
    expect(guard(text)).toBe(kind);
  });

  it('reads handlers by what they catch', () => {
    expect(handlerKind('except FormatError as e:', 'except FormatError as e:\n  x()')?.kind).toBe('format_error');
    expect(handlerKind('except LimitsExceeded:', 'except LimitsExceeded:\n  break')?.kind).toBe('limits');
    expect(handlerKind('except KeyboardInterrupt:', 'except KeyboardInterrupt:\n  pass')?.kind).toBe('stop');
    expect(handlerKind('} catch (error) {', '} catch (error) {\n  log(error);')?.kind).toBe('loop_step');
    expect(handlerKind('else:', 'else:\n  x()')).toBeUndefined();
  });

  it('reads limits in the head of a loop', () => {
    expect(loopHeadLimit('for step in range(max_steps):')?.detail).toBe('max_steps');
    expect(loopHeadLimit('while (turn < config.maxTurns) {')?.kind).toBe('limits');
    expect(loopHeadLimit('while True:')).toBeUndefined();
    expect(loopHeadLimit('for call in calls:')).toBeUndefined();
  });

  it('reads statements by their text', () => {
    expect(textKind('self.cost += response.cost', 'self.cost += response.cost')?.kind).toBe('accounting');
    expect(
      textKind('messages.push({ role, content: toolResult })', 'messages.push({ role, content: toolResult })')?.kind,
    ).toBe('observation');
    expect(textKind('messages.append(user)', 'messages.append(user)')?.kind).toBe('prompt_assembly');
    expect(textKind('x = 1', 'x = 1')).toBeUndefined();
  });
});

describe('suspect calls', () => {
  it.each([
    ['await prepared.tool.execute(id, args)', 'execution'],
    ['handlers[name](args)', 'execution'],
    ['self.env.execute(action)', 'execution'],
    ['streamFunction(config.model, context)', 'model'],
    ['self.llm.generate(messages)', 'model'],
    ['config.convertToLlm(messages)', undefined],
    ['createModel(messages)', undefined],
    ['items.forEach(print)', undefined],
  ])('%s looks like %s', (text, kind) => {
    expect(looksLike(text)).toBe(kind);
  });
});

describe('names', () => {
  it('keeps numbers and strings out of ids', () => {
    expect(slug('if self.turn >= 40:')).toBe('turn');
    expect(slug('if role == "exit":')).toBe('role');
    expect(slug('"only text"')).toBe('only-text');
    expect(slug('===')).toBe('region');
  });

  it('splits identifiers', () => {
    expect(wordsOf('runToolCall_v2')).toEqual(['run', 'tool', 'call', 'v2']);
    expect(wordsOf('HTTPServerError')).toEqual(['http', 'server', 'error']);
  });

  it('knows tools by what they do', () => {
    expect([
      toolKind('bash'),
      toolKind('str_replace_editor'),
      toolKind('readFile'),
      toolKind('attempt_completion'),
      toolKind('weather'),
    ]).toEqual(['tool_shell', 'tool_edit', 'tool_read', 'tool_submit', undefined]);
  });

  it('leaves tests and declarations out', () => {
    const paths = ['src/a.test.ts', 'tests/x.py', 'src/test_case.py', 'src/latest.py'];
    expect(paths.map(isTestFile)).toEqual([true, true, true, false]);
    expect([isForeignFile('dist/a.d.ts'), isForeignFile('dist/a.js')]).toEqual([true, false]);
  });
});

describe('a short telling of a round', () => {
  it('leaves out what keeps records first, and keeps what asks, acts and ends in its order', () => {
    const kinds: UnitKind[] = ['trajectory', 'limits', 'model_call', 'accounting', 'tool_dispatch', 'termination'];
    expect(tellingKinds(kinds, 4)).toEqual(['limits', 'model_call', 'tool_dispatch', 'termination']);
    expect(tellingKinds(kinds, 9)).toEqual(kinds);
    expect(tellingKinds([...kinds, ...kinds], 2)).toEqual(['limits', 'model_call']);
  });
});
