import { z } from 'zod';

/** Refusal in the format of Sink's errors. */
export class SinkProblem extends Error {
  readonly status: number;
  readonly statusMessage: string;
  /** Details of an invalid body or query, as JSON text. Empty for other refusals. */
  readonly details: string;

  constructor(status: number, statusMessage: string, details = '') {
    super(details);
    this.status = status;
    this.statusMessage = statusMessage;
    this.details = details;
  }
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/i;

const Time = z.int();

const Url = z.string().trim().url().max(2_048);

export const Slug = z.string().trim().max(2_048).regex(SLUG);

const Link = z.object({
  url: Url,
  slug: Slug,
  comment: z.string().trim().max(2_048).optional(),
  title: z.string().trim().max(256).optional(),
  description: z.string().trim().max(2_048).optional(),
  expiration: Time.optional(),
  password: z.string().trim().max(128).optional(),
  unsafe: z.boolean().optional(),
  cloaking: z.boolean().optional(),
  tags: z.array(z.string().trim().toLowerCase().min(1).max(32)).max(10).default([]),
});

const Id = z.string().trim().min(1).max(26);

export const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(20),
  cursor: z.string().optional(),
  sort: z.enum(['az', 'za', 'newest', 'oldest']).default('newest'),
  tag: z.string().optional(),
  status: z.enum(['active', 'expired', 'all']).default('active'),
});

/** Schemas of a create and an edit. Only they refuse an expiry in the past. */
export function newLinkSchema(now: number) {
  return withFutureExpiry(now).extend({ id: Id.optional(), slug: Slug.optional() });
}

export function editSchema(now: number) {
  return withFutureExpiry(now);
}

function withFutureExpiry(now: number) {
  const message = 'expiration must be greater than current time';
  // The real server repeats the field name in the path of the issue.
  const expiration = Time.refine((time) => time > now / 1_000, { message, path: ['expiration'] }).optional();
  return Link.extend({ expiration });
}

/** @throws SinkProblem if the value is invalid */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // The real server has no messages for these issues.
  const issues = parsed.error.issues.map((issue) => ({
    ...issue,
    message: issue.code === 'custom' ? issue.message : 'Invalid input',
  }));
  throw new SinkProblem(400, 'Validation Error', JSON.stringify(issues, null, 2));
}

export type SinkFields = z.infer<ReturnType<typeof newLinkSchema>>;
