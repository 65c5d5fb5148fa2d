import { readFileSync } from 'node:fs';
import '../../../gallery/stubbed.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { createCopier } from '../../../../src/components/copier.ts';
import { HOST, HostingPage, TRY } from '../../../../src/pages/hosting/hosting-page.tsx';
import { hostingIn } from '../../../gallery/other-states.tsx';
import { control, render, textOf } from '../../support/render.ts';

// @vitest-environment happy-dom

afterEach(() => vi.unstubAllEnvs());

const links = () => [...document.querySelectorAll('a')].map((link) => [textOf(link), link.getAttribute('href')]);

test('the commands on the page match the documentation', async () => {
  await render(hostingIn());
  const guide = readFileSync('docs/self-hosting.md', 'utf8');
  const [, ...docker] = HOST.split('\n');
  for (const command of docker) expect(guide).toContain(command);
  expect(readFileSync('README.md', 'utf8')).toContain(TRY);
  expect([...document.querySelectorAll('pre')].map((block) => block.textContent)).toEqual([HOST, TRY]);
});

test('every command can be copied', async () => {
  const written: string[] = [];
  await render(<HostingPage copier={createCopier(async (text) => void written.push(text))} />);
  for (const button of document.querySelectorAll('button')) button.click();
  expect(written).toEqual([HOST, TRY]);
});

test('the page links to the form that connects a server', async () => {
  await render(hostingIn());
  expect(control('Connect a server').getAttribute('href')).toBe('../welcome/index.html');
});

test('the page links to the project only if the build has its URL', async () => {
  vi.stubEnv('VITE_PROJECT_URL', '');
  await render(hostingIn());
  expect(links()).toEqual([['Connect a server', '../welcome/index.html']]);
  vi.stubEnv('VITE_PROJECT_URL', 'https://terse.example');
  await render(hostingIn());
  expect(links()).toContainEqual(['About the project', 'https://terse.example']);
});
