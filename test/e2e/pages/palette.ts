import type { Page } from 'playwright-core';

/** Runs a command by its palette title; fails when the palette does not offer exactly that title. */
export async function runCommand(page: Page, title: string): Promise<void> {
  const input = page.locator('.quick-input-widget input.input');
  const name = page.locator('.quick-input-list .monaco-list-row .label-name').getByText(title, { exact: true });
  for (let attempt = 1; ; attempt++) {
    await page.keyboard.press('F1');
    try {
      await input.fill(`>${title}`, { timeout: 5000 });
      await name.first().waitFor({ timeout: 5000 });
      break;
    } catch (error) {
      // The palette lists what was registered when it was opened, and closes when a view takes the focus.
      await page.keyboard.press('Escape');
      if (attempt === 4) throw error;
    }
  }
  await name.first().click();
  await input.waitFor({ state: 'hidden' });
}
