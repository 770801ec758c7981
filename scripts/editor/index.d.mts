import type { ChildProcess } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';

export interface CodeServer {
  readonly url: string;
  readonly child: ChildProcess;
  log(): string;
  stop(): Promise<void>;
}

export interface Workbench {
  readonly page: Page;
  readonly server: CodeServer;
  close(): Promise<void>;
}

export interface WorkbenchOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly trusted?: boolean;
  readonly size?: { readonly width: number; readonly height: number };
}

export function findChromium(): string | undefined;
export function ensureChromium(log?: (line: string) => void): Promise<string>;
export function launchBrowser(): Promise<Browser>;
export function ensureCodeServer(log?: (line: string) => void): Promise<string>;
export function openWorkbench(workspace: string | null, options?: WorkbenchOptions): Promise<Workbench>;
export function stageExtension(extensionsFolder: string): Promise<string>;
export function copyExample(folder: string): string;
export function commitAll(folder: string, message?: string): void;
export function writeWorkspaceFile(file: string, folders: readonly string[]): string;
