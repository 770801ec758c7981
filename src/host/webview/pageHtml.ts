import { randomBytes } from 'node:crypto';

/** What a page may do beyond running its own bundle. */
export interface PageRights {
  /** Show images that came by message, as `data:` addresses. */
  images?: boolean;
  /** Style single elements, as an embedded editor does for its lines. */
  inlineStyles?: boolean;
  /** Start workers whose source is part of the bundle. */
  blobWorkers?: boolean;
}

export interface PageParts {
  title: string;
  /** Addresses the page may load, as the editor gives them. */
  script: string;
  styles: string[];
  /** Source expression of the editor for our own resources. */
  cspSource: string;
  nonce: string;
  rights?: PageRights;
}

/** A nonce for one page: 128 random bits. */
export function makeNonce(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * HTML of a page. Only our own bundle may run, nothing may be fetched, and no other host is named;
 * data comes by messages, never in the HTML.
 */
export function pageHtml(parts: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${parts.nonce}'`,
    `style-src ${parts.cspSource}${parts.rights?.inlineStyles ? " 'unsafe-inline'" : ''}`,
    `font-src ${parts.cspSource}`,
    ...(parts.rights?.blobWorkers ? ['worker-src blob:'] : []),
    `img-src ${parts.cspSource}${parts.rights?.images ? ' data:' : ''}`,
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
  const styles = parts.styles.map((href) => `    <link rel="stylesheet" href="${attribute(href)}">`).join('\n');
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${attribute(parts.title)}</title>
${styles}
  </head>
  <body>
    <div id="page"></div>
    <script nonce="${parts.nonce}" src="${attribute(parts.script)}"></script>
  </body>
</html>
`;
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
