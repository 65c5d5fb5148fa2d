import type { KeyDocument } from '@terse/contract';
import { report, UNUSED } from '../domain/limits.ts';
import { type Endpoint, limitsOf, type Services } from './endpoint.ts';

/** `GET /api/v1/key`: the key that asks, its limits and what is left of them. */
export function keyEndpoint({ store, clock, limits }: Services): Endpoint {
  return {
    method: 'GET',
    path: '/api/v1/key',
    access: 'read',
    async handle(context) {
      const { key } = context.var;
      const state = (await store.keys.limitState(key.id)) ?? UNUSED;
      const document: KeyDocument = {
        name: key.name,
        lastFour: key.lastFour,
        createdAt: new Date(key.createdAt).toISOString(),
        ...report(limitsOf(key, limits), state, clock()),
      };
      return context.json(document);
    },
  };
}
