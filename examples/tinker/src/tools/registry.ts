import { editTool } from './edit.ts';
import { readTool } from './read.ts';
import { searchTool } from './search.ts';
import { shellTool } from './shell.ts';
import { submitTool } from './submit.ts';
import type { Tool, ToolArguments, ToolContext, ToolResult } from './tool.ts';
import { ToolError } from './tool.ts';
import { writeTool } from './write.ts';

export const allTools: Tool[] = [shellTool, readTool, writeTool, editTool, searchTool, submitTool];

/** The tools that a run may use. */
export class ToolRegistry {
  private readonly tools = new Map<string, Tool>();

  /** Throws when the configuration names a tool that does not exist. */
  constructor(names: string[], available: Tool[] = allTools) {
    for (const name of names) {
      const tool = available.find((candidate) => candidate.name === name);
      if (!tool) throw new Error(`the configuration names the tool "${name}", which does not exist`);
      this.tools.set(name, tool);
    }
  }

  get names(): string[] {
    return [...this.tools.keys()];
  }

  get(name: string): Tool | undefined {
    return this.tools.get(name);
  }

  /** One line for each tool, for the system prompt. */
  describe(): string {
    return [...this.tools.values()]
      .map((tool) => `- ${tool.name}: ${tool.description} ${parameterList(tool)}`)
      .join('\n');
  }

  /** The descriptors in the shape of the chat-completions protocol, for the trajectory. */
  definitions(): unknown[] {
    return [...this.tools.values()].map(({ name, description, parameters }) => {
      const properties = Object.fromEntries(
        Object.entries(parameters).map(([key, { type, description: meaning }]) => [
          key,
          { type, description: meaning },
        ]),
      );
      const required = Object.keys(parameters).filter((key) => parameters[key]?.required);
      return {
        type: 'function',
        function: { name, description, parameters: { type: 'object', properties, required } },
      };
    });
  }

  /** Runs a tool. A ToolError becomes a result, so that the model sees it. */
  async run(name: string, args: ToolArguments, context: ToolContext): Promise<ToolResult> {
    const tool = this.tools.get(name);
    if (!tool) throw new Error(`no tool named ${name}`);
    try {
      return await tool.run(args, context);
    } catch (error) {
      if (error instanceof ToolError) return { output: error.message, status: 'error' };
      throw error;
    }
  }
}

function parameterList(tool: Tool): string {
  const entries = Object.entries(tool.parameters);
  if (entries.length === 0) return 'No arguments.';
  const described = entries.map(
    ([name, parameter]) => `${name}${parameter.required ? '' : '?'} (${parameter.description})`,
  );
  return `Arguments: ${described.join(', ')}.`;
}

/** An action of this tool as the model has to write it. */
export function usage(tool: Tool): string {
  const args = Object.entries(tool.parameters).map(([name, parameter]) => `"${name}": <${parameter.type}>`);
  return `{"tool": "${tool.name}", "args": {${args.join(', ')}}}`;
}
