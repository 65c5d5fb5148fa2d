import type { ApiServices } from '../../src/api/endpoint.ts';
import { openApiDocument } from '../../src/api/openapi/document.ts';
import { endpoints } from '../../src/api/router.ts';
import type { Described } from './described.ts';

/** All endpoints. The list needs no running service. */
export const ENDPOINTS = endpoints({} as ApiServices);

export const DOCUMENT = openApiDocument(ENDPOINTS, {
  baseUrl: 'https://terse.invalid',
  version: '1.0.0',
}) as unknown as Described;

export const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${template}`,
    method: method.toUpperCase(),
    template,
    operation,
    access: operation.security.length === 0 ? 'open' : operation.requestBody ? 'create' : 'read',
  })),
);
