import {
  Analytics,
  BatchAnswer,
  BatchRequest,
  CreateLinkRequest,
  EditLinkRequest,
  ErrorBody,
  IDEMPOTENCY_KEY_PATTERN,
  KeyDocument,
  Link,
  LinkList,
  ServiceDocument,
  ShortenAnswer,
  ShortenRequest,
} from '@terse/contract';
import * as z from 'zod/mini';

/** An error as this service sends it: always with its code. */
export const ErrorAnswer = z.extend(ErrorBody, { code: z.string() });

/** An item of a batch: a link, and the idempotency key that it would have if it were sent alone. */
export const BatchItem = z.extend(CreateLinkRequest, {
  idempotencyKey: z.nullish(z.string().check(z.regex(IDEMPOTENCY_KEY_PATTERN))),
});

/** What `GET /healthz` and `GET /readyz` answer. */
export const Health = z.object({ status: z.literal('ok') });

/** What `GET /openapi.json` answers, as far as a schema of ours goes. */
export const OpenApiDocument = z.looseObject({ openapi: z.string() });

/** The description of a schema and its fields. */
export interface About<Schema extends z.ZodMiniObject = z.ZodMiniObject> {
  schema: Schema;
  description: string;
  fields: Record<string, string>;
}

const about = <Schema extends z.ZodMiniObject>(
  schema: Schema,
  description: string,
  fields: { [field in keyof z.infer<Schema>]-?: string },
): About<Schema> => ({ schema, description, fields });

/** Every body that is sent, by its name in the description. */
export const REQUESTS: Record<string, About> = {
  ShortenRequest: about(ShortenRequest, 'A URL to shorten. Fields that are not named here are ignored.', {
    url: 'The long URL: `http` or `https`, at most 2,048 bytes, without user name or password.',
  }),
  CreateLinkRequest: about(CreateLinkRequest, 'A link to make. Fields that are not named here are ignored.', {
    url: 'The long URL: `http` or `https`, at most 2,048 bytes, without user name or password.',
    shortCode:
      'A code of one’s choice; without it the service makes one. It is taken or refused as it is, case included.',
    title: 'For its owner alone; kept as one line.',
    expiresAt: 'From this instant on the short URL answers 410. Must be in the future.',
  }),
  EditLinkRequest: about(EditLinkRequest, 'What is to change of a link. Fields that are not named here are ignored.', {
    url: 'The long URL: `http` or `https`, at most 2,048 bytes, without user name or password.',
    title: 'For its owner alone; kept as one line. Null clears it.',
    expiresAt: 'From this instant on the short URL answers 410. Must be in the future. Null clears it.',
  }),
  BatchItem: about(BatchItem, 'A link to make by a batch. Fields that are not named here are ignored.', {
    url: 'As for a single link.',
    shortCode: 'As for a single link.',
    title: 'As for a single link.',
    expiresAt: 'As for a single link.',
    idempotencyKey: 'Makes it safe to send this link again, in another batch or alone.',
  }),
  BatchRequest: about(BatchRequest, 'Links to make by one request.', {
    urls: 'Each is validated by itself: one that is refused does not keep the others from being made.',
  }),
};

/** Every body that is answered. */
export const ANSWERS: Record<string, About> = {
  ShortenAnswer: about(ShortenAnswer, 'A short URL.', {
    message: 'A sentence for people.',
    shortUrl: 'The whole short URL.',
  }),
  Link: about(Link, 'A link, as its owner sees it.', {
    shortCode: 'Identifies the link, here and in its short URL.',
    shortUrl: 'The whole short URL.',
    url: 'The long URL, as the WHATWG URL standard writes it. The short URL redirects to exactly this.',
    title: 'For its owner alone.',
    createdAt: 'UTC.',
    expiresAt: 'UTC. From this instant on the short URL answers 410; the link itself can still be read.',
    clicks: 'How often the short URL was opened by people; known bots are not counted here.',
  }),
  LinkList: about(LinkList, 'One page of links, newest first.', {
    links:
      'May be fewer than the limit, even none, on a page that is not the last: a search looks at 20,000 links at a time.',
    nextCursor: 'What to send as `cursor` for the next page; null on the last one.',
  }),
  Analytics: about(Analytics, 'Who clicked a link.', {
    shortCode: 'The link’s.',
    from: 'The first UTC day of the range.',
    to: 'The last UTC day of the range, included.',
    interval: 'Of the series.',
    clicks: 'By people.',
    visitors: 'People, told apart within each UTC day: one who came on three days is three visitors.',
    bots: 'Clicks by known bots.',
    series: 'Every interval of the range in order. A visitor counts in the first hour of the day they came.',
    referrers: 'Hosts that clicks came from, most clicks first.',
    browsers: 'Most clicks first.',
    systems: 'Operating systems, most clicks first.',
    devices: 'Kinds of devices, most clicks first.',
    countries: 'ISO 3166-1 alpha-2 codes, most clicks first, where the operator’s proxy tells them.',
  }),
  BatchAnswer: about(BatchAnswer, 'What became of each link of a batch.', {
    results: 'In the order sent.',
  }),
  KeyDocument: about(KeyDocument, 'The API key that asks, its limits, and what is left of them.', {
    name: 'As its owner named it.',
    lastFour: 'The key’s last four characters.',
    createdAt: 'UTC.',
    throttle: 'How many requests the key may send in a moment.',
    quota: 'How many requests the key may send in a UTC day.',
    scopes: 'What the key may do: `create` links, `read` links and who clicks them, `manage` (edit and delete) links.',
    ownLinksOnly: 'Whether the key reads and manages only the links that it made itself.',
  }),
  ServiceDocument: about(ServiceDocument, 'What this service is.', {
    name: 'The software.',
    version: 'The software’s version.',
    shortBaseUrl: 'What every short URL begins with.',
    features: 'What it can do, as stable words; ignore those you do not know.',
    codes:
      'The symbols of new short codes, and how many a code has. Who mints a code this way sends it as `shortCode`.',
    refusedTargets:
      'Kinds of URLs that are always refused: `own` (hosts of this service), `private` (hosts of private networks). Ignore those you do not know.',
  }),
  Health: about(Health, 'All is well.', { status: 'Always `ok`.' }),
  OpenApiDocument: about(OpenApiDocument, 'An OpenAPI 3.1 document.', { openapi: 'The version of OpenAPI.' }),
  Error: about(ErrorAnswer, 'A request that was refused.', {
    error: 'A sentence for people; its wording can change.',
    code: 'A stable word for programs.',
  }),
};
