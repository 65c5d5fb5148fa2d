import { KeyDocument } from '@terse/contract';
import { quotasOf } from '../../domain/limits/account-quotas.ts';
import { FIRST_ACCOUNT } from '../../store/sql/account-queries.ts';
import { type ApiServices, type Endpoint, limitsOf } from '../endpoint.ts';
import { answered } from '../openapi/describe-endpoint.ts';

const EXAMPLE: KeyDocument = {
  name: 'laptop',
  lastFour: 'x7Qd',
  createdAt: '2026-07-01T12:00:00.000Z',
  throttle: { limit: 1, windowSeconds: 1, remaining: 1, resetSeconds: 0 },
  quota: { limit: 20, windowSeconds: 86_400, remaining: 7, resetSeconds: 40_211 },
  scopes: ['create', 'read', 'manage'],
  ownLinksOnly: false,
};

export function keyEndpoint({ store, limits, accountLimits }: ApiServices): Endpoint {
  return {
    method: 'GET',
    path: '/api/v1/key',
    access: 'read',
    scope: null,
    doc: {
      id: 'readKey',
      tag: 'Service',
      summary: 'Read the key',
      description:
        'The API key of the request, its limits, what is left of them, and its scopes. Does not count against the quota.',
      success: { status: 200, description: 'The key.', content: answered(KeyDocument, { key: EXAMPLE }) },
    },
    async handle(context) {
      const { key } = context.var;
      const accountQuota = quotasOf(key.accountId === FIRST_ACCOUNT, accountLimits).links;
      const limitReport = await store.createRequests.left(key, { limits: limitsOf(key, limits), accountQuota });
      const document: KeyDocument = {
        name: key.name,
        lastFour: key.lastFour,
        createdAt: new Date(key.createdAt).toISOString(),
        ...limitReport,
        scopes: [...key.scopes],
        ownLinksOnly: key.ownLinksOnly,
      };
      return context.json(document);
    },
  };
}
