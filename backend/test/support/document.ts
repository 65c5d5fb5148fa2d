import { openApiDocument } from '../../src/api/openapi/document.ts';
import { OPERATIONS as API, type Operation } from '../../src/api/operations.ts';
import type { Described } from './described.ts';

/** All endpoints of the API. */
export const ENDPOINTS = Object.values<Operation>(API);

export const DOCUMENT = openApiDocument({ baseUrl: 'https://terse.invalid', version: '1.0.0' }) as unknown as Described;

export const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${template}`,
    method: method.toUpperCase(),
    template,
    operation,
    access: operation.security.length === 0 ? 'open' : operation.requestBody ? 'create' : 'read',
  })),
);
