import type { Hono, MiddlewareHandler } from 'hono';
import { authenticate } from './authenticate.ts';
import type { Endpoint, Env, Services } from './endpoint.ts';
import { ApiError } from './errors.ts';
import { endpoints } from './index.ts';
import { throttleReads } from './reads.ts';
import { requireScope } from './scopes.ts';

/** Mounts every endpoint, and answers other methods of its path with 405. */
export function mountApi(app: Hono<Env>, services: Services): void {
  const key = authenticate(services);
  const guards: Record<Endpoint['access'], MiddlewareHandler<Env>[]> = {
    open: [],
    read: [key, throttleReads(services)],
    create: [key],
  };
  for (const [path, methods] of Map.groupBy(endpoints(services), (endpoint) => endpoint.path)) {
    app.use(path, (context, next) => {
      context.set('route', path);
      return next();
    });
    for (const { method, access, scope, handle } of methods) {
      // Creating endpoints check the scope themselves, since their refusal reports the key's limits.
      const allowed = scope === null || access === 'create' ? [] : [requireScope(scope)];
      app.on(method, [path], ...guards[access], ...allowed, handle);
    }
    const allow = methods.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    app.all(path, () => {
      throw new ApiError('method_not_allowed', { headers: { Allow: allow } });
    });
  }
}
