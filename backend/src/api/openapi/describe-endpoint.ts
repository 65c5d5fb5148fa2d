import type { ErrorCode, Link } from '@terse/contract';
import type * as z from 'zod/mini';

export const TAGS = {
  Shorten: 'Turn a long URL into a short one.',
  Links: 'Create, find, read, edit and delete links.',
  Analytics: 'Clicks and visitors.',
  Service: 'The service, the limits of a key, and this document.',
} as const;

/**
 * Documentation of an endpoint. Errors and headers that all endpoints with the same `access` share are added
 * automatically.
 */
export interface Operation {
  /** Name of the operation. Code generators use it as a function name. */
  id: string;
  tag: keyof typeof TAGS;
  summary: string;
  description: string;
  path?: Parameters;
  query?: Parameters;
  body?: Content;
  success: Success;
  /** Errors that are specific to this endpoint. Common errors are added automatically. */
  errors?: ErrorCode[];
}

export interface Parameters {
  schema: z.ZodMiniObject;
  about: Record<string, { description: string; example: string | number }>;
}

export interface Success {
  status: 200 | 201 | 204 | 207;
  description: string;
  content?: Content;
  headers?: Record<string, { description: string; example: string }>;
}

export interface Content {
  schema: z.ZodMiniType;
  examples: Record<string, unknown>;
}

/** Describes a request body. TypeScript checks that the examples match the schema. */
export function sent<Schema extends z.ZodMiniType>(schema: Schema, examples: Record<string, z.input<Schema>>): Content {
  return { schema, examples };
}

/** Describes a response body. TypeScript checks that the examples match the schema. */
export function answered<Schema extends z.ZodMiniType>(
  schema: Schema,
  examples: Record<string, z.output<Schema>>,
): Content {
  return { schema, examples };
}

/** Example link that is used throughout the API documentation. */
export const LINK: Link = {
  shortCode: 'otters',
  shortUrl: 'https://t.example/otters',
  domain: 't.example',
  url: 'https://en.wikipedia.org/wiki/Otter',
  title: 'All about otters',
  createdAt: '2026-07-01T12:00:00.000Z',
  expiresAt: null,
  clicks: 0,
  importedClicks: 0,
  forwardQuery: false,
  tags: ['animals'],
};

/** Example link with a short code that the service generated. */
export const GENERATED: Link = {
  ...LINK,
  shortCode: 'k7Rm2Wq',
  shortUrl: 'https://t.example/k7Rm2Wq',
  title: null,
  tags: [],
  expiresAt: '2027-01-01T00:00:00.000Z',
};
