import type { ErrorCode, Link } from '@terse/contract';
import type * as z from 'zod/mini';

/** The parts the API has for a reader, in the order they are shown. */
export const TAGS = {
  Shorten: 'One long URL in, one short URL out.',
  Links: 'Make, find, read, edit and delete links.',
  Analytics: 'Who clicks.',
  Service: 'What this service is, what is left of a key’s limits, and this description.',
} as const;

/** The description of one endpoint. What follows from its access is added to it. */
export interface Operation {
  /** A name for programs that are generated from the document. */
  id: string;
  tag: keyof typeof TAGS;
  summary: string;
  /** CommonMark. */
  description: string;
  path?: Parameters;
  query?: Parameters;
  body?: Content;
  success: Success;
  /** Its own errors, beyond those that every endpoint of its access has. */
  errors?: ErrorCode[];
}

/** Parameters: the schema that validates them, and a description of each. */
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

/** A JSON body by its schema, with examples that fit it. */
export interface Content {
  schema: z.ZodMiniType;
  examples: Record<string, unknown>;
}

/** Holds the examples against the schema's type; `input` is what is sent, before defaults apply. */
export function sent<Schema extends z.ZodMiniType>(schema: Schema, examples: Record<string, z.input<Schema>>): Content {
  return { schema, examples };
}

/** The same for what is answered. */
export function answered<Schema extends z.ZodMiniType>(
  schema: Schema,
  examples: Record<string, z.output<Schema>>,
): Content {
  return { schema, examples };
}

/** The link that the examples of the API's description tell of. */
export const LINK: Link = {
  shortCode: 'otters',
  shortUrl: 'https://t.example/otters',
  url: 'https://en.wikipedia.org/wiki/Otter',
  title: 'All about otters',
  createdAt: '2026-07-01T12:00:00.000Z',
  expiresAt: null,
  clicks: 0,
};

/** One whose code the service chose. */
export const GENERATED: Link = {
  ...LINK,
  shortCode: 'k7Rm2Wq',
  shortUrl: 'https://t.example/k7Rm2Wq',
  title: null,
  expiresAt: '2027-01-01T00:00:00.000Z',
};
