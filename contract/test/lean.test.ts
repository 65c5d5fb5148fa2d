import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as zod from 'zod/mini';
import * as lean from '../lean/zod-mini.ts';

// The extension reads what services answer with `lean`, everything else with zod: both must read the same.

type Zod = typeof zod;

/** Every way in which the contract uses zod, alone and together. */
const SCHEMAS: Record<string, (z: Zod) => zod.ZodMiniType> = {
  unknown: (z) => z.array(z.unknown()),
  string: (z) => z.string(),
  boolean: (z) => z.boolean(),
  int: (z) => z.int(),
  literal: (z) => z.literal(201),
  enum: (z) => z.enum(['hour', 'day']),
  array: (z) => z.array(z.string()),
  optional: (z) => z.object({ a: z.optional(z.string()) }),
  nullable: (z) => z.object({ a: z.nullable(z.string()) }),
  nullish: (z) => z.object({ a: z.nullish(z.int()) }),
  default: (z) => z.object({ a: z._default(z.string(), 'standard') }),
  catch: (z) => z.object({ a: z.catch(z.optional(z.array(z.string())), undefined) }),
  'a required key': (z) => z.object({ a: z.string(), b: z.int() }),
  'a nested object': (z) => z.object({ a: z.object({ b: z.nullable(z.boolean()) }) }),
  union: (z) => z.union([z.object({ a: z.literal(201), b: z.int() }), z.object({ a: z.int(), c: z.string() })]),
  url: (z) => z.url({ protocol: /^https?$/ }),
  'url, checked': (z) =>
    z.url({ protocol: /^https?$/ }).check(
      z.maxLength(30),
      z.refine((url) => !url.includes('x')),
    ),
  date: (z) => z.iso.date(),
  datetime: (z) => z.iso.datetime(),
  'datetime with an offset': (z) => z.iso.datetime({ offset: true }),
  'length of a text': (z) => z.string().check(z.minLength(2), z.maxLength(4)),
  'length of a list': (z) => z.array(z.unknown()).check(z.minLength(1), z.maxLength(2)),
  bounds: (z) => z.int().check(z.gte(3), z.lte(64)),
  nonnegative: (z) => z.int().check(z.nonnegative()),
  regex: (z) => z.string().check(z.regex(/^[a-c]{1,3}$/)),
  format: (z) => z.stringFormat('short', (text) => text.length < 3),
  coerce: (z) => z.coerce.number().check(z.int(), z.gte(1), z.lte(100)),
};

const instants = fc
  .oneof(
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc
      .tuple(fc.integer({ min: 1999, max: 2004 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }))
      .map(([year, month, day]) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`),
  )
  .chain((text) =>
    fc
      .constantFrom(
        '',
        'T00:00:00Z',
        'T23:59:59.123+02:00',
        'T24:00:00Z',
        'T10:60:00Z',
        'T10:00Z',
        'T10:00:00+24:00',
        'z',
        ' ',
      )
      .map((end) => text + end),
  );
const urls = fc.oneof(
  fc.webUrl(),
  fc.webUrl({ validSchemes: ['ftp', 'HTTPS', 'javascript'] }),
  fc.constantFrom(
    'http:/a.example',
    'https:a.example',
    ' https://a.example/ ',
    'https://a.exa\nmple/\tb',
    'https://',
    'HTTPS://a.example',
    'http://[::1',
    '//a.example',
  ),
);
const leaves = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 5 }),
  fc.constantFrom(
    'hour',
    'day',
    '12',
    ' 7 ',
    '1e2',
    '0x10',
    201,
    -0,
    2 ** 53,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ),
  fc.integer({ min: -3, max: 300 }),
  fc.boolean(),
  fc.constantFrom(null, undefined),
  instants,
  urls,
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaves,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.record({ a: tie('value'), b: tie('value'), c: tie('value') }, { requiredKeys: [] }),
  ),
}));

test.each(Object.entries(SCHEMAS))('%s is read alike', (_name, build) => {
  const [real, ours] = [build(zod), build(lean as unknown as Zod)];
  fc.assert(
    fc.property(values, (value) => {
      const expected = real.safeParse(value);
      const read = ours.safeParse(value);
      expect(read.success).toBe(expected.success);
      if (expected.success) expect(read.data).toStrictEqual(expected.data);
      if (!expected.success) expect(() => ours.parse(value)).toThrow(TypeError);
    }),
    { numRuns: 500, seed: 1 },
  );
});

test('what is missing is missing in name: no export of another kind hides in it', () => {
  for (const name of Object.keys(lean)) expect(zod, name).toHaveProperty(name);
});
