import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts that the model sees live in prompts/, one file each. */
export type TemplateName = 'system' | 'task' | 'observation' | 'format_error' | 'completion' | 'compaction';

const placeholder = /\{\{(\w+)\}\}/g;

/** Fills the {{placeholders}} of a template. Throws when the template asks for a value that was not given. */
export function fillTemplate(template: string, values: Record<string, string | number>): string {
  return template.replace(placeholder, (_match, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`the template asks for {{${key}}}, which is not among its values`);
    return String(value);
  });
}

/** Reads templates from a folder, each once. */
export class Templates {
  private readonly folder: string;
  private readonly texts = new Map<TemplateName, string>();

  constructor(folder: string) {
    this.folder = folder;
  }

  render(name: TemplateName, values: Record<string, string | number> = {}): string {
    let text = this.texts.get(name);
    if (text === undefined) {
      text = readFileSync(join(this.folder, `${name}.md`), 'utf8').trimEnd();
      this.texts.set(name, text);
    }
    return fillTemplate(text, values);
  }
}
