import { Hono, type HonoRequest, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { PageEnv, Services } from '../api/services.ts';
import { ApiError } from '../http/api-error.ts';
import { HEADER_BYTES } from '../http/http-server.ts';
import { addAccountPages } from './account/account-page.ts';
import { addInvitationPages, addSignInPages, createSignInLimit } from './account/sign-in-page.ts';
import { securityHeaders } from './components/layout.ts';
import { addImportPages, UPLOAD_PATH } from './imports/import-pages.ts';
import { addKeyPages } from './keys/key-pages.ts';
import { addNewLinkPages } from './links/link-form.ts';
import { addLinkListPage } from './links/link-list-page.ts';
import { addLinkPages } from './links/link-page.ts';
import { addExportPages, addSelectionPages } from './links/selected-links.ts';
import { addOverviewPage } from './overview-page.ts';
import { currentSession } from './sessions.ts';
import { addStaticFiles } from './static-files.ts';

/** Pages that users can open before they sign in. All other pages need a session. */
const PUBLIC_PATHS = new Set(['/', '/sign-in', '/sign-out', '/welcome/:token', '/assets/:version/:name']);

/**
 * Maximum size of a form in bytes. A list page with 50 selected links and the longest possible codes needs 115,000
 * bytes.
 */
const MAX_FORM_BYTES = 128 * 1024;

/**
 * Maximum length of the path that opens after sign-in. The path is part of the sign-in page's URL. Without this
 * maximum, the URL, cookies and other headers could exceed the server's header limit.
 */
const MAX_NEXT_LENGTH = HEADER_BYTES - 8 * 1024;

/** Creates the dashboard as a Hono application. */
export function createDashboard(services: Services): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  for (const [path, routes] of Map.groupBy(allPages(services).routes, (route) => route.path)) {
    app.use(path, securityHeaders, (context, next) => {
      context.set('route', path);
      if (!isSameOrigin(context.req, services.baseUrl)) throw new ApiError('forbidden');
      return next();
    });
    if (!PUBLIC_PATHS.has(path)) app.use(path, requireSession(services));
    // Comes last, because it reads the body, and the body of a forbidden request must not be read.
    if (path !== UPLOAD_PATH) app.use(path, limitFormSize);
    for (const { method, handler } of routes) app.on(method, [path], handler);
    const methods = new Set(routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
    app.all(path, () => {
      throw new ApiError('method_not_allowed', { headers: { Allow: [...methods].join(', ') } });
    });
  }
  return app;
}

function allPages(services: Services): Hono<PageEnv> {
  const pages = new Hono<PageEnv>();
  const signInLimit = createSignInLimit(services.clock);
  addStaticFiles(pages);
  addSignInPages(pages, services, signInLimit);
  addInvitationPages(pages, services);
  addOverviewPage(pages, services);
  addKeyPages(pages, services);
  addAccountPages(pages, services, signInLimit);
  addExportPages(pages, services);
  addSelectionPages(pages, services);
  addImportPages(pages, services);
  addNewLinkPages(pages, services);
  addLinkListPage(pages, services);
  addLinkPages(pages, services);
  return pages;
}

/**
 * True if a request cannot change data, or if a page of this dashboard sent the request. Browsers send
 * `Sec-Fetch-Site` only over https, so `Origin` is checked on plain http. A request that can change data and has neither
 * header is refused, even if its content type is not one of a form.
 */
function isSameOrigin(request: HonoRequest, baseUrl: string): boolean {
  if (['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(request.method)) return true;
  const site = request.header('Sec-Fetch-Site');
  if (site !== undefined) return site === 'same-origin';
  const origin = request.header('Origin');
  return origin !== undefined && (origin === baseUrl || URL.parse(origin)?.host === request.header('Host'));
}

const limitFormSize: MiddlewareHandler<PageEnv> = bodyLimit({
  maxSize: MAX_FORM_BYTES,
  onError: () => {
    throw new ApiError('body_too_large');
  },
});

function requireSession(services: Services): MiddlewareHandler<PageEnv> {
  return async (context, next) => {
    const session = await currentSession(context, services);
    if (!session) {
      const { pathname, search } = new URL(context.req.url);
      const next = context.req.method === 'GET' ? encodeURIComponent(pathname + search) : '';
      return context.redirect(next && next.length <= MAX_NEXT_LENGTH ? `/sign-in?next=${next}` : '/sign-in', 303);
    }
    context.set('session', session);
    return next();
  };
}
