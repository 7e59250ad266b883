import { randomBytes } from 'node:crypto';
import { Uri, type Webview } from 'vscode';
import type { PanelName } from '../../protocol/panels/messages';

/**
 * The page of a panel. Nothing is allowed but its own script, by nonce, and its own style, fonts and pictures;
 * style-src has 'unsafe-inline' only because the control toolkit sets styles from its script. No data stands in the
 * page: it comes by message.
 */
export function pageHtml(
  webview: Webview,
  dist: Uri,
  page: { readonly panel: PanelName; readonly title: string; readonly language: string },
): string {
  const { panel, title, language } = page;
  const nonce = randomBytes(16).toString('base64');
  const own = (file: string) => webview.asWebviewUri(Uri.joinPath(dist, 'webview', file)).toString();
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource} 'unsafe-inline'`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${/^[A-Za-z-]{2,16}$/.test(language) ? language : 'en'}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${own(`${panel}.css`)}">
</head>
<body data-panel="${panel}">
<div id="app"></div>
<script nonce="${nonce}" src="${own(`${panel}.js`)}"></script>
</body>
</html>`;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
