import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { CHROME_KEY } from '../../scripts/build/manifest.ts';
import { SHIPPED, tempFolder } from './harness/folders.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BROWSERS = ['chrome', 'firefox'] as const;

const zipName = (name: string) => `terse-${name}-${packageJson.version}.zip`;

/** Returns a hash of each file in a folder, by relative path. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}

/** Creates a folder with the files that a clone would contain, including uncommitted changes. */
function clone(): string {
  const folder = tempFolder('clone');
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  const paths = listed.toString().split('\0');
  for (const path of paths.filter((path) => path && existsSync(join(ROOT, path)))) {
    cpSync(join(ROOT, path), join(folder, path));
  }
  return folder;
}

/**
 * Installs this repository's packages, and the clone's own workspaces, as `npm ci` would. Relative package paths
 * become part of the build.
 */
function install(folder: string): void {
  const [from, to] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(to);
  // Builds in other tests create temporary `.vite` folders here, which are not packages.
  const packages = readdirSync(from).filter((name) => !name.startsWith('.vite'));
  const copy = (how: string) => execFileSync('cp', [how, ...packages.map((name) => join(from, name)), to]);
  try {
    copy('-al');
  } catch {
    // Hard links do not work between file systems.
    copy('-a');
  }
}

function packHere(): string {
  const cloned = clone();
  symlinkSync(join(ROOT, 'node_modules'), join(cloned, 'node_modules'));
  for (const browser of BROWSERS) cpSync(SHIPPED[browser], join(cloned, 'dist', browser), { recursive: true });
  const env = { ...process.env, TZ: 'America/Los_Angeles', NODE_ENV: 'test' };
  execFileSync(process.execPath, [join('scripts', 'package.ts')], { cwd: cloned, env, stdio: 'pipe' });
  return join(cloned, 'dist');
}

let made: string;
beforeAll(() => {
  made = packHere();
});

const zipMade = (name: string) => readFileSync(join(made, zipName(name)));

test('the source zip builds the same packages in any folder, time zone and environment', { timeout: 300_000 }, () => {
  const source = join(tempFolder('source'), 'a folder with another name');
  for (const [path, content] of Object.entries(unzipSync(zipMade('source')))) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), content);
  }
  install(source);
  const env = { ...process.env, TZ: 'Asia/Tokyo', NODE_ENV: 'development' };
  execFileSync('npm', ['run', '--silent', 'package'], { cwd: source, env, stdio: 'pipe' });
  expect(contents(join(source, 'dist'))).toEqual(contents(made));
});

test("the packages contain the build, and the package for Chrome's store contains no key", () => {
  const zips = readdirSync(made).filter((path) => path.endsWith('.zip'));
  expect(zips.toSorted()).toEqual(['chrome', 'chrome-unpacked', 'firefox', 'source'].map(zipName));
  const { 'manifest.json': forStore, ...chrome } = unzipSync(zipMade('chrome'));
  const { 'manifest.json': forFolder, ...unpacked } = unzipSync(zipMade('chrome-unpacked'));
  expect(chrome).toEqual(unpacked);
  const { key, ...manifest } = JSON.parse(strFromU8(forFolder ?? new Uint8Array()));
  expect(key).toBe(CHROME_KEY);
  expect(JSON.parse(strFromU8(forStore ?? new Uint8Array()))).toEqual(manifest);
  const inFirefox = Object.keys(unzipSync(zipMade('firefox')));
  expect(inFirefox.map((path) => `/${path}`)).toEqual(Object.keys(contents(SHIPPED.firefox)));
});

test.each(BROWSERS)('the build for %s has few permissions and exposes nothing to web pages', (browser) => {
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
    // Browsers show no warning for this permission, because it applies only to sites to which the user has granted
    // access.
    'declarativeNetRequestWithHostAccess',
    'scripting',
    'storage',
    'unlimitedStorage',
  ];
  expect(manifest.permissions.toSorted()).toEqual(
    browser === 'chrome' ? [...everywhere, 'offscreen'].toSorted() : everywhere,
  );
  expect(manifest.optional_permissions).toEqual(['notifications', 'tabs']);
  expect(manifest.content_security_policy.extension_pages).toContain("default-src 'none'; script-src 'self';");
  expect(manifest.version).toBe(packageJson.version);
});

test.each(BROWSERS)('the build for %s has no source maps and no paths of the machine that built it', (browser) => {
  const paths = Object.keys(contents(SHIPPED[browser]));
  expect(paths).toContain('/manifest.json');
  for (const path of paths) {
    expect(path).not.toMatch(/\.map$/);
    const text = readFileSync(join(SHIPPED[browser], path), 'latin1');
    expect(text, path).not.toContain('sourceMappingURL');
    expect(text, path).not.toContain(ROOT);
  }
});
