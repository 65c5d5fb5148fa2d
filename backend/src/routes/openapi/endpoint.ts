import type { Endpoint, Services } from '../endpoint.ts';
import { OpenApiDocument } from './bodies.ts';
import { openApiDocument } from './document.ts';
import { answered } from './operation.ts';

/** `GET /openapi.json`: the description of the endpoints given, and of itself. */
export function openApiEndpoint(services: Services, others: readonly Endpoint[]): Endpoint {
  let document: string | null = null;
  const endpoint: Endpoint = {
    method: 'GET',
    path: '/openapi.json',
    access: 'open',
    scope: null,
    doc: {
      id: 'describe',
      tag: 'Service',
      summary: 'Describe the API',
      description: 'This document. It is made of the same schemas that the service validates requests with.',
      success: {
        status: 200,
        description: 'The OpenAPI document.',
        content: answered(OpenApiDocument, { document: { openapi: '3.1.0' } }),
      },
    },
    handle() {
      document ??= JSON.stringify(openApiDocument([...others, endpoint], services));
      return new Response(document, { headers: { 'Content-Type': 'application/json' } });
    },
  };
  return endpoint;
}
