import { describe, expect, it, vi } from 'vitest';
import { changeWords } from '../../../webview/difference/DifferencePage';
import { baseOf } from '../../../webview/difference/theme';

// The editor needs a browser; what is tested here is what the page says about it.
vi.mock('monaco-editor/editor', () => ({ editor: {} }));

describe('the page of a difference', () => {
  const side = (left: number) => ({ title: 't', text: 'x', left });

  it('says how many places differ, and what was left out', () => {
    const whole = { before: side(0), after: side(0) };
    expect([null, 0, 1, 3].map((changes) => changeWords(changes, whole))).toEqual([
      'Comparing.',
      'The texts are equal.',
      '1 place differs.',
      '3 places differ.',
    ]);
    expect(changeWords(0, { before: side(1000), after: side(500) })).toContain('1,500 characters were not compared');
    expect(changeWords(0, null)).toBe('Reading the texts.');
  });

  it('takes the theme of the window', () => {
    expect(baseOf(['vscode-light'])).toBe('vs');
    expect(baseOf(['vscode-dark'])).toBe('vs-dark');
    expect(baseOf(['vscode-high-contrast'])).toBe('hc-black');
    expect(baseOf(['vscode-high-contrast', 'vscode-high-contrast-light'])).toBe('hc-light');
  });
});
