import { BatchAnswer, Link, type NewCodes, ServiceDocument } from '@terse/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/domain/clock-and-random.ts';
import { checkError, post, startTestService, type TestService } from '../support/service.ts';

let terse: TestService;
let key: string;
let codes: NewCodes;
beforeAll(async () => {
  terse = await startTestService({ TERSE_DAILY_QUOTA: '1000' });
  key = await terse.newKey();
  codes = ServiceDocument.parse(await (await terse.ask('/api')).json()).codes as NewCodes;
});
afterAll(() => terse.stop());

const mint = ({ alphabet, length }: NewCodes) =>
  Array.from(systemRandom(length), (byte) => alphabet[byte % alphabet.length]).join('');

const send = (path: string, body: unknown, by = key) => {
  terse.clock.now += 1000;
  return terse.ask(path, post(by, body));
};

describe('a code generated from the service document', () => {
  it("has the form of the service's own codes", async () => {
    const { shortCode } = Link.parse(await (await send('/api/v1/urls', { url: 'https://example.com/' })).json());
    expect(shortCode).toHaveLength(codes.length);
    for (const symbol of shortCode) expect(codes.alphabet).toContain(symbol);
  });

  it('is accepted, alone and in a batch', async () => {
    const [one, ...more] = [mint(codes), mint(codes), mint(codes)];
    const link = Link.parse(await (await send('/api/v1/urls', { url: 'https://example.com/', shortCode: one })).json());
    expect(link.shortCode).toBe(one);
    const urls = more.map((shortCode) => ({ url: 'https://example.com/', shortCode }));
    const { results } = BatchAnswer.parse(await (await send('/api/v1/urls/batch', { urls })).json());
    expect(results.map((result) => 'link' in result && result.link.shortCode)).toEqual(more);
  });

  it('is refused with 409 if it is taken, alone and in a batch', async () => {
    const shortCode = mint(codes);
    const theirs = await terse.newAccountKey();
    expect((await send('/api/v1/urls', { url: 'https://example.com/', shortCode }, theirs)).status).toBe(201);
    const refused = await send('/api/v1/urls', { url: 'https://example.com/', shortCode });
    expect(await checkError(refused)).toMatchObject({ code: 'short_code_taken' });
    const [free, twice] = [mint(codes), mint(codes)];
    const urls = [shortCode, free, twice, twice].map((code) => ({ url: 'https://example.com/', shortCode: code }));
    const { results } = BatchAnswer.parse(await (await send('/api/v1/urls/batch', { urls })).json());
    expect(results.map(({ status }) => status)).toEqual([409, 201, 201, 409]);
    expect(results[0]).toMatchObject({ code: 'short_code_taken' });
  });
});
