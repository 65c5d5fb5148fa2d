import { HEADER } from '@terse/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { openApiDocument } from '../../src/api/openapi/document.ts';
import { OPERATIONS as API, type Operation } from '../../src/api/operations.ts';

/** Sections of an OpenAPI document that the checker uses. */
export interface Described {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, { examples?: unknown[] }> };
}

export interface DescribedOperation {
  operationId: string;
  security: unknown[];
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

type Content = Record<string, { schema: { $ref: string } }>;

export type AnswerChecker = (method: string, target: string, sent: unknown, response: Response) => Promise<void>;

/**
 * Creates a function that checks responses against an OpenAPI document. Status, headers, content type and body must
 * match exactly.
 */
export function createChecker(document: Described): AnswerChecker {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'open');
  ajv.addSchema(closed(document), 'closed');
  const validators = new Map<string, ValidateFunction>();

  function validate(which: 'open' | 'closed', { $ref }: { $ref: string }, value: unknown, what: string): void {
    const reference = which + $ref;
    const validator = validators.get(reference) ?? ajv.compile({ $ref: reference });
    validators.set(reference, validator);
    expect(validator(value), `${what}: ${ajv.errorsText(validator.errors)}\n${JSON.stringify(value)}`).toBe(true);
  }

  return async (method, target, sent, response) => {
    const methods = document.paths[templateOf(document, new URL(target, 'http://x').pathname) ?? ''];
    const operation = methods?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
    const what = `${method} ${target} answered ${response.status}`;
    const text = await response.text();
    if (!operation) {
      if (response.status < 400) return;
      expect(response.status === 405, `${what}, its path is ${methods ? '' : 'not '}documented`).toBe(!!methods);
      if (text) validate('closed', { $ref: '#/components/schemas/Error' }, JSON.parse(text), what);
      return;
    }
    const described = operation.responses[response.status] ?? operation.responses[`${String(response.status)[0]}XX`];
    expect(described, `${what}, which is not documented`).toBeDefined();
    for (const name of requiredHeaders(operation, response.status)) {
      expect(response.headers.get(name), `${what}: ${name}`).not.toBeNull();
    }
    const content = described?.content?.['application/json'];
    if (method === 'HEAD' || !content) expect(text, what).toBe('');
    else {
      expect(response.headers.get('content-type'), what).toBe('application/json');
      validate('closed', content.schema, JSON.parse(text), what);
    }
    // The document must allow every request that the service accepts.
    const takes = operation.requestBody?.content['application/json'];
    if (takes && response.ok && response.status !== 207 && typeof sent === 'string') {
      validate('open', takes.schema, JSON.parse(sent), `${what} to`);
    }
  };
}

/** Returns the document's path that matches a request. A path without parameters takes precedence. */
export function templateOf({ paths }: Pick<Described, 'paths'>, path: string): string | undefined {
  if (path in paths) return path;
  return Object.keys(paths).find((template) =>
    new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
}

/** Headers that all responses with a certain status have. */
const HEADERS_BY_STATUS: Record<number, string[]> = {
  201: ['Location'],
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  429: [HEADER.retryAfter],
  503: [HEADER.retryAfter],
};

/** Statuses of responses that can be sent before the key, and with it its limits, is known. */
const BEFORE_AUTHENTICATION = [400, 401, 405, 408, 431, 500, 503];

function requiredHeaders({ security }: DescribedOperation, status: number): string[] {
  const isLimited = security.length > 0 && !BEFORE_AUTHENTICATION.includes(status);
  return [...(HEADERS_BY_STATUS[status] ?? []), ...(isLimited ? [HEADER.rateLimitPolicy, HEADER.rateLimit] : [])];
}

/** Returns a copy of the document in which response bodies allow no additional fields. */
function closed(document: Described): Described {
  const copy = structuredClone(document);
  const close = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('properties' in node) Object.assign(node, { additionalProperties: false });
    for (const child of Object.values(node)) close(child);
  };
  for (const [name, schema] of Object.entries(copy.components.schemas)) {
    if (name !== 'OpenApiDocument') close(schema);
  }
  return copy;
}

/** All endpoints of the API. */
export const ENDPOINTS = Object.values<Operation>(API);

export const DOCUMENT = openApiDocument({ baseUrl: 'https://terse.invalid', version: '1.0.0' }) as unknown as Described;

export const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${template}`,
    method: method.toUpperCase(),
    template,
    operation,
  })),
);
