import { editor } from 'monaco-editor/editor';

/** Colours of the editor around that the texts take over, by the name Monaco has for them. */
const colours: Record<string, string> = {
  'editor.background': '--vscode-editor-background',
  'editor.foreground': '--vscode-editor-foreground',
  'editorLineNumber.foreground': '--vscode-editorLineNumber-foreground',
  'editor.selectionBackground': '--vscode-editor-selectionBackground',
  'diffEditor.insertedTextBackground': '--vscode-diffEditor-insertedTextBackground',
  'diffEditor.removedTextBackground': '--vscode-diffEditor-removedTextBackground',
  'diffEditor.insertedLineBackground': '--vscode-diffEditor-insertedLineBackground',
  'diffEditor.removedLineBackground': '--vscode-diffEditor-removedLineBackground',
  'diffEditor.unchangedRegionBackground': '--vscode-diffEditor-unchangedRegionBackground',
  focusBorder: '--vscode-focusBorder',
};

type Base = 'vs' | 'vs-dark' | 'hc-black' | 'hc-light';

/** The base theme for the classes that the editor gives the body of a page. */
export function baseOf(classes: readonly string[]): Base {
  if (classes.includes('vscode-high-contrast-light')) return 'hc-light';
  if (classes.includes('vscode-high-contrast')) return 'hc-black';
  return classes.includes('vscode-light') ? 'vs' : 'vs-dark';
}

/** Follows the theme of the window, now and when it changes. */
export function followTheme(): () => void {
  const apply = () => {
    const style = getComputedStyle(document.documentElement);
    const found = Object.entries(colours).flatMap(([name, variable]) => {
      const value = style.getPropertyValue(variable).trim();
      // Monaco takes hexadecimal colours only.
      return /^#[0-9a-f]{6,8}$/i.test(value) ? [[name, value]] : [];
    });
    const base = baseOf([...document.body.classList]);
    editor.defineTheme('window', { base, inherit: true, rules: [], colors: Object.fromEntries(found) });
    editor.setTheme('window');
  };
  apply();
  const observer = new MutationObserver(apply);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  return () => observer.disconnect();
}
