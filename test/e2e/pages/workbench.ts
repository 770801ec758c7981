import type { FrameLocator, Locator, Page } from 'playwright-core';

/** Rows of the trees in the side bar, by what is read out for them. */
export function treeRow(page: Page, spoken: RegExp): Locator {
  return page.getByRole('treeitem', { name: spoken });
}

/** The content of the webview that is on the screen. */
export function webview(page: Page): FrameLocator {
  return page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
}

/** The text editor that shows a file, and its active line. */
export function editorOf(page: Page, fileName: string): { tab: Locator; activeLine: Locator } {
  const group = page
    .locator('.editor-group-container')
    .filter({ has: page.locator(`.tab[data-resource-name="${fileName}"]`) });
  return {
    tab: group.locator(`.tab[data-resource-name="${fileName}"].active`),
    activeLine: group.locator('.editor-instance .line-numbers.active-line-number').first(),
  };
}

/** Text of the status bar items. */
export function statusBar(page: Page): Locator {
  return page.locator('.statusbar');
}
