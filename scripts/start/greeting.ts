import { join } from 'node:path';

export interface Running {
  baseUrl: string;
  shortBaseUrl: string;
  root: string;
  /** Connection link of the new key. Null if the database already had keys. */
  connectionLink: string | null;
  /** URL that creates the dashboard's first account. Null if there is an account already. */
  setupLink: string | null;
  isBrowserOpen: boolean;
}

/** Returns the message that `npm start` prints after everything has started. */
export function greeting({ baseUrl, shortBaseUrl, root, connectionLink, setupLink, isBrowserOpen }: Running): string {
  return `Terse is running.

  Dashboard   ${
    setupLink
      ? `${setupLink}
              (set it up by this link, which works once)`
      : baseUrl
  }
  Service     ${baseUrl}
  Short URLs  ${shortBaseUrl}
  Extension   ${isBrowserOpen ? 'loaded in the Chromium window that has just opened' : howToLoad(root)}

${connectionLink ? newConnection(connectionLink, isBrowserOpen) : oldConnection(baseUrl)}

Make another key:  npm run -s backend -- keys create --name NAME
Press Ctrl-C to stop.
`;
}

function howToLoad(root: string): string {
  return `${join(root, 'dist', 'chrome')}
              (chrome://extensions, Developer mode, Load unpacked)
              ${join(root, 'dist', 'firefox', 'manifest.json')}
              (about:debugging#/runtime/this-firefox, Load Temporary Add-on)`;
}

/**
 * Shows the connection link even if a browser is open, because the link contains the API key and the user may use
 * another browser.
 */
function newConnection(connectionLink: string, isBrowserOpen: boolean): string {
  const advice = isBrowserOpen
    ? "Connect the extension: the form in that window is filled in, press Accept and connect. Another browser's extension takes this link:"
    : 'Connect the extension: paste this connection link into its options page:';
  return `${advice}

  ${connectionLink}

It holds your first API key, which is shown only now.`;
}

function oldConnection(baseUrl: string): string {
  return `The API keys made earlier still work; their connection link was ${baseUrl}/#key=KEY`;
}
