import { createServer } from 'node:http';
import { type Listening, listen } from './listen.ts';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Starts a web site with a page at every path. The query sets the page's `title` and `text`. Each page has a link, an image and
 * free space for a right-click.
 */
export function startSite(): Promise<Listening> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site');
    const escaped = (text: string) => text.replace(/[&<>"]/g, (found) => ESCAPES[found] ?? found);
    const title = escaped(url.searchParams.get('title') ?? url.pathname);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><title>${title}</title>` +
        '<body style="margin:0;height:2000px">' +
        '<a id="link" href="/linked?from=link" style="display:block;width:200px;height:40px">A link</a>' +
        '<img id="image" alt="" width="100" height="40" style="display:block"' +
        ' src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==">' +
        `<p id="text" style="margin:0">${escaped(url.searchParams.get('text') ?? '')}</p>`,
    );
  });
  return listen(server);
}
