import { join } from 'node:path';

export interface Running {
  baseUrl: string;
  shortBaseUrl: string;
  root: string;
  /** Connection link of the first key. Null if the extension has connected. */
  connectionLink: string | null;
  /** URL for creating the dashboard's first account. Null if there already is an account. */
  setupLink: string | null;
  isBrowserOpen: boolean;
}

/** Returns the message that `npm start` prints once everything is running. */
export function greeting({ baseUrl, shortBaseUrl, root, connectionLink, setupLink, isBrowserOpen }: Running): string {
  const oldConnection = `Your existing API keys still work. The connection link of a key is ${baseUrl}/#key=KEY`;
  return `Terse is running.

  Dashboard   ${setupLink ? `${setupLink}\n              (open this link to set it up; it works once)` : baseUrl}
  Service     ${baseUrl}
  Short URLs  ${shortBaseUrl}
  Extension   ${isBrowserOpen ? 'loaded in the Chromium window that just opened' : howToLoad(root)}

${connectionLink ? newConnection(connectionLink, isBrowserOpen) : oldConnection}

Create another key:  npm run -s backend -- keys create --name NAME
Press Ctrl-C to stop.
`;
}

function howToLoad(root: string): string {
  return `${join(root, 'dist', 'chrome')}
              (chrome://extensions, Developer mode, Load unpacked)
              ${join(root, 'dist', 'firefox', 'manifest.json')}
              (about:debugging#/runtime/this-firefox, Load Temporary Add-on)`;
}

/** The returned text always contains the connection link, because the user may connect another browser. */
function newConnection(connectionLink: string, isBrowserOpen: boolean): string {
  const advice = isBrowserOpen
    ? 'Connect the extension: in that window, press "Connect". In another browser, open the options of the extension and enter this link:'
    : 'Connect the extension: paste this connection link into its options page:';
  return `${advice}

  ${connectionLink}

It contains your first API key. Once the extension is connected, the key is not shown again.`;
}
