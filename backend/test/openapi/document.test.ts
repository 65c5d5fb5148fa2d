import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createChecker, DOCUMENT, ENDPOINTS, OPERATIONS } from '../support/described.ts';
import { post, serviceForTest } from '../support/service.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

describe('the OpenAPI document', () => {
  it('passes every rule of the linter in redocly.yaml', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terse-openapi-'));
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(DOCUMENT));
    const linter = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
    const args = [linter, 'lint', file, '--format=json', '--config', join(ROOT, 'redocly.yaml')];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env }).catch((error) => error);
    rmSync(folder, { recursive: true });
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({
      totals: { errors: 0, warnings: 0, ignored: 0 },
      problems: [],
    });
  }, 60_000);

  it('contains every endpoint under /api', () => {
    const paths = ENDPOINTS.filter(({ path }) => path.startsWith('/api')).map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    );
    expect(OPERATIONS.map(({ name }) => name)).toEqual(expect.arrayContaining(paths));
  });

  it('is readable without a key, and contains the address of the service', async () => {
    const terse = await serviceForTest({ TERSE_BASE_URL: 'https://terse.example' });
    const response = await terse.ask('/openapi.json');
    expect(await response.json()).toEqual({
      ...DOCUMENT,
      info: { ...(DOCUMENT as unknown as { info: object }).info, version: '0.0.0-test' },
      servers: [{ url: 'https://terse.example', description: 'This service.' }],
    });
  });

  it('has examples of each request body, which the service accepts', async () => {
    const terse = await serviceForTest({ TERSE_THROTTLE: '1000' });
    const key = await terse.newKey();
    await terse.ask('/api/v1/urls', post(key, { url: 'https://example.com/', shortCode: 'mine' }));
    for (const { method, template, operation } of OPERATIONS) {
      const schema = operation.requestBody?.content['application/json']?.schema.$ref.split('/').at(-1);
      if (schema === undefined) continue;
      const examples = DOCUMENT.components.schemas[schema]?.examples ?? [];
      expect(examples, schema).not.toEqual([]);
      for (const body of examples) {
        const path = template.replace('{shortCode}', 'mine');
        expect((await terse.ask(path, { ...post(key, body), method })).ok, JSON.stringify(body)).toBe(true);
      }
    }
  });
});

// Other tests check every response with this checker.
it.each([
  ['an undocumented status', 302, {}],
  ['a missing field', 200, { name: 'Terse' }],
  ['an error without a code', 404, { error: 'No.' }],
])('a response with %s differs from the OpenAPI document', async (_, status, body) => {
  const response = Response.json(body, { status });
  await expect(createChecker(DOCUMENT)('GET', '/api', null, response)).rejects.toThrow();
});
