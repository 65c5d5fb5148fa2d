import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const STYLE = `
  :root { color-scheme: light dark; }
  body {
    display: grid; place-content: center; min-height: 100vh; margin: 0; padding: 2rem; box-sizing: border-box;
    font: 1.0625rem/1.5 system-ui, sans-serif; text-align: center;
    color: light-dark(#1c1f24, #e8eaed); background: light-dark(#fafafa, #16181c);
  }
  h1 { margin: 0 0 .5rem; font-size: 1.5rem; }
  p { margin: 0; max-width: 32rem; color: light-dark(#555b65, #a5abb5); }
`;

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
};

const PAGES = {
  unknown: page(
    404,
    'No such link',
    'This short link does not exist. Check that it was copied in full, letter by letter.',
  ),
  wrongMethod: page(405, 'Not that way', 'A short link can only be opened; nothing can be sent to it.'),
  gone: page(410, 'This link is gone', 'It was deleted or has expired. Ask whoever gave it to you for a new one.'),
  blocked: page(410, 'This link is blocked', 'Whoever runs this service does not let links lead where this one did.'),
  throttled: page(
    429,
    'Too many wrong links',
    'Many short links that do not exist were asked for from here. Wait a moment.',
  ),
  failed: page(503, 'Something went wrong', 'This link could not be looked up just now. Try again in a moment.'),
} as const;

export type PageName = keyof typeof PAGES;

/** Answers with the small page for a person whom a short URL did not lead anywhere. */
export function sendPage(
  response: ServerResponse,
  name: PageName,
  headers: Record<string, string | number> = {},
): void {
  const { status, body } = PAGES[name];
  response.writeHead(status, { ...HEADERS, ...headers, 'Content-Length': body.byteLength });
  response.end(body);
}

function page(status: number, title: string, sentence: string): { status: number; body: Buffer } {
  const body = Buffer.from(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
<main>
  <h1>${title}</h1>
  <p>${sentence}</p>
</main>
</html>
`);
  return { status, body };
}
