import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openExtensionPage } from './harness/pages.ts';
import { givenBackend, givenChromium, givenConnection } from './harness/world.ts';

test('"Test connection" says what it found and spends no budget', async () => {
  const { options } = await givenConnection();
  for (let time = 0; time < 3; time++) {
    await options.getByRole('button', { name: 'Test connection' }).click();
    await options.getByText('The service answers.').waitFor();
    await options.getByText('Accepted: end-to-end').waitFor();
    await options.getByText('20 a day, 100 a second').waitFor();
    await options.getByText('20 of 20 left').waitFor();
  }
});

test('a wrong key, a service that is away and a bad address are each told apart', async () => {
  const [backend, browser] = await Promise.all([givenBackend(), givenChromium()]);
  const options = await openExtensionPage(browser, 'options');
  const attempt = async (address: string, key: string, button: string) => {
    await options.getByLabel('Service address').fill(address);
    await options.getByLabel('API key').fill(key);
    await options.getByRole('button', { name: button, exact: true }).click();
  };

  await attempt('http://links.example.com', 'a-key', 'Connect');
  await options.getByText('With http your key would travel unprotected.').waitFor();
  await attempt(backend.baseUrl, 'terse_not_a_key', 'Test connection');
  await options.getByText('The service answers, but refuses this key.').waitFor();
  await backend.stop();
  await attempt(backend.baseUrl, backend.apiKey, 'Test connection');
  await options.getByText('Nothing answers at this address.').waitFor();
});

test('a server that only answers that nobody is there is not called a service', async () => {
  const gateway = createServer((_request, response) => void response.writeHead(502).end('<h1>Bad Gateway</h1>'));
  await new Promise<void>((listening) => gateway.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void gateway.close());
  const { port } = gateway.address() as AddressInfo;
  const options = await openExtensionPage(await givenChromium(), 'options');
  await options.getByLabel('Service address').fill(`http://127.0.0.1:${port}/#key=anything-at-all`);
  await options.getByRole('button', { name: 'Connect', exact: true }).click();
  await options.getByText('Saved, but the service did not answer.').waitFor();
  await options.getByText('Something answers there, but says that it cannot serve now.').waitFor();
});

test('by keyboard, testing keeps the focus and forgetting leads to the next address', async () => {
  const { options } = await givenConnection();
  const focused = () => options.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);
  await options.getByRole('button', { name: 'Test connection' }).focus();
  await options.keyboard.press('Enter');
  await options.getByText('The service answers.').waitFor();
  expect(await focused()).toBe('Test connection');
  await options.getByRole('button', { name: 'Forget connection' }).press('Enter');
  await options.locator('dialog').getByRole('button', { name: 'Forget connection' }).press('Enter');
  await options.getByText('The connection is forgotten.').waitFor();
  await expect.poll(focused).toBe('address');
});
