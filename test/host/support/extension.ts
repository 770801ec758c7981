import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** The extension under test, as installed in this window. */
export function extensionUnderTest(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension('harnessmith.harnessmith');
  assert.ok(extension, 'the extension is installed in this window');
  return extension;
}

/** What package.json contributes under one point, for example `commands`. */
export function contributed<T>(point: string): T[] {
  const contributes = extensionUnderTest().packageJSON.contributes ?? {};
  return contributes[point] ?? [];
}

/** Waits until `probe` gives something that is not undefined or false; fails with `what` after the time is over. */
export async function eventually<T>(
  what: string,
  probe: () => T | Promise<T>,
  timeoutMs = 20_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > deadline) assert.fail(`${what}: not within ${timeoutMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
