import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig, SETTINGS } from '../src/config/environment.ts';
import { createMetrics } from '../src/metrics/prometheus.ts';
import { newRedirectCounts } from '../src/redirects/redirect-handler.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const guide = read('docs/self-hosting.md');

/** Cells of all table rows whose first cell contains code. */
const rows = [...guide.matchAll(/^\| `([\w]+)` \|(.*)\|$/gm)].map(([, name = '', rest = '']) => ({
  name,
  cells: rest.split('|').map((cell) => cell.trim()),
}));

function within(address: string, network: string): boolean {
  const [base = '', prefix] = network.split('/');
  const list = new BlockList();
  list.addSubnet(base, Number(prefix));
  return list.check(address);
}

describe('the guide to running the service', () => {
  it('lists every setting with its default', () => {
    const settings = rows.filter(({ name }) => name.startsWith('TERSE_'));
    expect(settings.map(({ name }) => name).sort()).toEqual([...SETTINGS].sort());
    const standard = settings.map(({ name, cells }) => [name, cells[0]?.replace(/`/g, '')]);
    const plain = (given: Record<string, string>) => JSON.stringify(readConfig(given));
    expect(plain(Object.fromEntries(standard))).toBe(plain({}));
  });

  it('lists every metric of the service with its labels and outcomes', async () => {
    const redirectCounts = newRedirectCounts();
    const metrics = createMetrics({ version: '1', redirectCounts, clicks: () => ({ lost: 0, waiting: 0 }) });
    metrics.observeRequest({ method: 'GET', route: '/api', status: 200, seconds: 1, limit: 'quota' });
    const text = await metrics.text();
    const reported = [...text.matchAll(/^# TYPE (terse_\w+)/gm)].map(([, name]) => name);
    const documented = rows.filter(({ name }) => name.startsWith('terse_'));
    expect(documented.map(({ name }) => name).sort()).toEqual(reported.sort());
    for (const { name, cells } of documented) {
      const [, labels = ''] = new RegExp(`^${name}(?:_count)?\\{(.*)\\} `, 'm').exec(text) ?? [];
      for (const [, label] of labels.matchAll(/(\w+)="/g)) expect(cells[0], name).toContain(`\`${label}\``);
    }
    const outcomes = [...text.matchAll(/outcome="(\w+)"/g)].map(([, outcome]) => outcome);
    for (const outcome of outcomes) expect(guide).toContain(`\`${outcome}\``);
  });
});

it.each(readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md')))(
  'docs/%s links only to existing files and sections',
  (name) => {
    for (const [, path, section] of read(`docs/${name}`).matchAll(/\]\((?!http|mailto)([^)#]*)(?:#([^)]+))?\)/g)) {
      const file = join('docs', path || name);
      expect(existsSync(join(ROOT, file)), path).toBe(true);
      if (section === undefined) continue;
      const titles = [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.toLowerCase());
      const anchors = titles.map((title) => title.replaceAll(/[^\p{L}\d _-]/gu, '').replaceAll(' ', '-'));
      expect(anchors, `${path}#${section}`).toContain(section);
    }
  },
);

interface ComposeService {
  env_file: unknown;
  environment: Record<string, string>;
}

describe('the files for running the service', () => {
  it.each([
    'Dockerfile',
    'compose.yaml',
    'deploy/terse.env',
    'deploy/terse.service',
    'deploy/Caddyfile',
    'deploy/cluster/ports.conf',
  ])('%s uses settings that exist', (file) => {
    for (const [name] of read(file).matchAll(/\bTERSE_[A-Z_]+\b/g)) expect(SETTINGS).toContain(name);
  });

  it('reserve an address for Caddy, which is the only trusted proxy', () => {
    const compose = read('compose.yaml');
    const value = (key: string) =>
      new RegExp(`\\b${key}: (?:\\$\\{\\w+:-)?([^\\s}]+)\\}?$`, 'm').exec(compose)?.[1] ?? '';
    const caddy = value('ipv4_address');
    expect(value('TERSE_TRUSTED_PROXIES')).toBe(caddy);
    expect(within(caddy, value('subnet'))).toBe(true);
    expect(within(caddy, value('ip_range'))).toBe(false);
  });

  it('give the container every setting of .env', () => {
    const { terse } = (parse(read('compose.yaml')) as { services: { terse: ComposeService } }).services;
    expect(terse.env_file).toEqual([{ path: '.env', required: false }]);
    // In Docker Compose, these variables override those in the environment file.
    for (const [name, value] of Object.entries(terse.environment)) expect(value).toMatch(`\${${name}:-`);
  });

  it('use absolute paths, so that commands in any folder use the same files', () => {
    const settings = Object.fromEntries(
      read('deploy/terse.env')
        .matchAll(/^(TERSE_\w+)=(.*)$/gm)
        .map((found) => found.slice(1)),
    );
    expect(settings.TERSE_DATABASE).toMatch(/^file:\//);
  });

  it('wait for the final PostgreSQL server, not for the one that initializes the database', () => {
    expect(read('compose.yaml')).toMatch(/\bpg_isready, --host=localhost,/);
  });

  it("build an image whose files the container's user can read, for any umask", () => {
    const [, last = ''] = read('Dockerfile').split(/^FROM .*(?<! AS \w+)$/m);
    const copies = last.match(/^COPY (?!--from).*$/gm) ?? [];
    expect(copies.length).toBeGreaterThan(3);
    for (const copy of copies) expect(copy).toMatch(/^COPY --chmod=755 /);
  });

  it('use the same health check everywhere, with options that Podman and Buildah support', () => {
    const [, command = ''] = /^HEALTHCHECK .*\\\n {2}CMD (.*)$/m.exec(read('Dockerfile')) ?? [];
    expect(read('compose.yaml')).toContain(`test: [CMD, ${JSON.parse(command).join(', ')}]\n`);
    expect(read('Dockerfile')).not.toMatch(/^HEALTHCHECK .*--start-interval/m);
  });

  it('retry the start while the database is unavailable', () => {
    expect(read('deploy/terse.service')).toMatch(/^StartLimitIntervalSec=0$/m);
  });

  it('use a cache of the compiled program that the service can write', () => {
    expect(read('Dockerfile')).toMatch(/ -o 1000 .*\/app\/\.cache\n/);
    expect(read('Dockerfile')).toContain('NODE_COMPILE_CACHE=/app/.cache ');
    expect(read('deploy/terse.service')).toContain('NODE_COMPILE_CACHE=/var/cache/terse\nCacheDirectory=terse\n');
  });

  it('contain valid settings', () => {
    const settings = [...read('deploy/terse.env').matchAll(/^(TERSE_\w+)=(.*)$/gm)];
    expect(settings.length).toBeGreaterThan(3);
    expect(() => readConfig(Object.fromEntries(settings.map(([, name, value]) => [name, value])))).not.toThrow();
  });

  it('copy exactly the files that the backend needs into the image', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY (?:--chmod=755 )?(\w\S*) \S+$/gm)].map(([, path]) => path);
    expect(copied).toEqual(expect.arrayContaining(['package.json', 'contract', 'design', 'backend']));
    const kept = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path);
    expect(kept.sort()).toEqual(['backend', 'contract', 'design', 'package-lock.json', 'package.json']);
    const { dependencies } = JSON.parse(read('backend/package.json')) as { dependencies: Record<string, string> };
    const ours = Object.keys(dependencies).filter((name) => name.startsWith('@terse/'));
    expect(ours.map((name) => name.replace('@terse/', '')).filter((name) => !copied.includes(name))).toEqual([]);
  });
});
