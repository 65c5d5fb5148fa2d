import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Site {
  port: number;
  /** The site's origin on loopback, which browsers treat as a secure context. */
  origin: string;
  close(): Promise<void>;
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Starts a web site with a page at every path. The query sets the page's `title`, `canonical` and `text`. Each page
 * has a link, an image and free space for a right-click.
 */
export async function startSite(): Promise<Site> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site');
    const escaped = (text: string) => text.replace(/[&<>"]/g, (found) => ESCAPES[found] ?? found);
    const title = escaped(url.searchParams.get('title') ?? url.pathname);
    const canonical = url.searchParams.get('canonical');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><title>${title}</title>` +
        (canonical === null ? '' : `<link rel="canonical" href="${escaped(canonical)}">`) +
        '<body style="margin:0;height:2000px">' +
        '<a id="link" href="/linked?from=link" style="display:block;width:200px;height:40px">A link</a>' +
        '<img id="image" alt="" width="100" height="40" style="display:block"' +
        ' src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==">' +
        `<p id="text" style="margin:0">${escaped(url.searchParams.get('text') ?? '')}</p>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
