import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = join(import.meta.dirname, '..', '..', '..', 'artifacts', 'screenshots');

/** Takes a picture of the window into artifacts/screenshots. */
export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** Runs `body`; when it fails, a picture of the window shows what was there. */
export async function pictureOnFailure(page: Page, title: string, body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    await takePicture(page, `failed-${title.replace(/\W+/g, '-').slice(0, 40)}`);
    throw error;
  }
}
