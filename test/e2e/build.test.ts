import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import messages from '../../public/_locales/en/messages.json' with { type: 'json' };
import { loadedFiles } from '../../scripts/build/loaded-files.ts';
import { SHIPPED } from './harness/extension-copy.ts';
import { tempFolder } from './harness/temp.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BROWSERS = ['chrome', 'firefox'] as const;
const INPUTS = ['src', 'public', 'scripts', 'manifest.json', 'package.json', 'tsconfig.base.json', 'vite.config.ts'];

/** Loads what the background is made of. */
const BACKGROUND = 'service-worker-loader.js';
/** A string that each library keeps when it is made smaller. */
const ZOD_SIGN = '_zod';
const LEAN_SIGN = 'does not fit its schema';
const POLYFILL_SIGN = 'This script should only be loaded in a browser extension';
const QR_SIGN = 'Data too long';

/** A string as browsers take it. */
interface Entry {
  message: string;
  placeholders?: Record<string, { content: string; example?: string }>;
}

/** Every file of a folder with its content's hash. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}

test('another folder, time zone and environment build and package the same bytes', () => {
  const copy = tempFolder('rebuild');
  for (const input of INPUTS) cpSync(join(ROOT, input), join(copy, input), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const build = (environment: Record<string, string>) => {
    const env = { ...process.env, ...environment };
    execFileSync('npm', ['run', '--silent', 'package'], { cwd: copy, env, stdio: 'pipe' });
    return contents(join(copy, 'dist'));
  };

  const built = build({ TZ: 'Asia/Tokyo', NODE_ENV: 'development' });
  expect(build({ TZ: 'America/Los_Angeles', NODE_ENV: 'test' })).toEqual(built);
  for (const browser of BROWSERS) expect(contents(join(copy, 'dist', browser))).toEqual(contents(SHIPPED[browser]));
  for (const browser of BROWSERS) {
    const zip = unzipSync(readFileSync(join(copy, 'dist', `terse-${browser}-${packageJson.version}.zip`)));
    expect(Object.keys(zip).map((name) => `/${name}`)).toEqual(Object.keys(contents(SHIPPED[browser])));
  }
});

test.each(BROWSERS)('what ships for %s asks for little and opens nothing to the web', (browser) => {
  const manifest = JSON.parse(readFileSync(join(SHIPPED[browser], 'manifest.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('content_scripts');
  expect(manifest).not.toHaveProperty('web_accessible_resources');
  expect(manifest).not.toHaveProperty('host_permissions');
  expect(manifest).not.toHaveProperty('externally_connectable');
  const everywhere = [
    'activeTab',
    'alarms',
    'clipboardWrite',
    'contextMenus',
    // Asks for no site: it acts on those that are granted alone.
    'declarativeNetRequestWithHostAccess',
    'storage',
    'unlimitedStorage',
  ];
  expect(manifest.permissions.toSorted()).toEqual(
    browser === 'chrome' ? [...everywhere, 'offscreen'].toSorted() : everywhere,
  );
  expect(manifest.optional_permissions).toEqual(['notifications', 'scripting', 'tabs']);
  expect(manifest.content_security_policy.extension_pages).toContain("default-src 'none'; script-src 'self';");
  expect(manifest.version).toBe(packageJson.version);
});

test.each(BROWSERS)('what ships for %s carries nothing that only some part or nobody needs', (browser) => {
  const textOf = (root: string) =>
    loadedFiles(SHIPPED[browser], [root])
      .map((file) => readFileSync(join(SHIPPED[browser], file), 'utf8'))
      .join('\n');
  const pages = ['popup', 'options', 'links'].map((page) => `src/${page}/index.html`);
  const carrying = (sign: string) => [...pages, BACKGROUND].filter((root) => textOf(root).includes(sign));
  // The background reads what services answer with a small stand-in for zod; pages have no use for either.
  expect(carrying(ZOD_SIGN)).toEqual([]);
  expect(carrying(LEAN_SIGN)).toEqual([BACKGROUND]);
  // Both browsers have promises of their own.
  expect(carrying(POLYFILL_SIGN)).toEqual([]);
  // The encoder of QR codes is loaded when one is asked for.
  expect(carrying(QR_SIGN)).toEqual([]);
});

test.each(BROWSERS)('no page that ships for %s loads the script of another, at once or later', (browser) => {
  const pages = ['popup', 'options', 'links'].map((page) => `src/${page}/index.html`);
  const firstScript = (page: string) => {
    const html = readFileSync(join(SHIPPED[browser], page), 'utf8');
    return /<script type="module"[^>]* src="\/([^"]+)"/.exec(html)?.[1];
  };
  const all = pages.map(firstScript);
  expect(new Set(all).size).toBe(pages.length);
  for (const page of pages) {
    const loaded = loadedFiles(SHIPPED[browser], [page], true);
    expect(loaded.length).toBeGreaterThan(loadedFiles(SHIPPED[browser], [page]).length);
    expect(all.filter((script) => script && loaded.includes(script))).toEqual([firstScript(page)]);
  }
});

test.each(BROWSERS)('what ships for %s has every string, and nothing for translators', (browser) => {
  const file = join(SHIPPED[browser], '_locales', 'en', 'messages.json');
  const shipped: Record<string, Entry> = JSON.parse(readFileSync(file, 'utf8'));
  const written: Record<string, Entry> = messages;
  expect(Object.keys(shipped)).toEqual(Object.keys(written));
  for (const [key, { message, placeholders }] of Object.entries(shipped)) {
    expect(Object.keys(shipped[key] ?? {}), key).not.toContain('description');
    expect(message, key).toBe(written[key]?.message);
    for (const [name, placeholder] of Object.entries(placeholders ?? {})) {
      expect(placeholder, key).toEqual({ content: written[key]?.placeholders?.[name]?.content });
    }
    expect(Object.keys(placeholders ?? {}), key).toEqual(Object.keys(written[key]?.placeholders ?? {}));
  }
});

test.each(BROWSERS)('what ships for %s has no source map and no trace of the machine that built it', (browser) => {
  for (const path of Object.keys(contents(SHIPPED[browser]))) {
    expect(path).not.toMatch(/\.map$/);
    const text = readFileSync(join(SHIPPED[browser], path), 'latin1');
    expect(text, path).not.toContain('sourceMappingURL');
    expect(text, path).not.toContain(ROOT);
  }
});
