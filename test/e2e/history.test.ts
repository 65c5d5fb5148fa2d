import { describe, expect, test } from 'vitest';
import { callApi } from './harness/api.ts';
import { BROWSERS } from './harness/browsers.ts';
import { tellStory } from './harness/story.ts';
import { targetOf } from './harness/target-of.ts';

// One history over all browsers: what another browser or the dashboard does is the API's doing here.

describe.each(BROWSERS)('$name', (kind) => {
  const story = tellStory(kind);

  test('a link made elsewhere is there, is edited and deleted, and is there without its service', async () => {
    const { backend, browser } = story;
    for (const name of ['seal', 'badger', 'beaver']) {
      const made = await callApi(backend, 'POST', 'urls', { url: `https://www.example.com/${name}`, shortCode: name });
      expect(made.status).toBe(201);
    }
    const statusOf = async (name: string) => (await callApi(backend, 'GET', `urls/${name}`)).status;
    await targetOf(`${backend.shortBaseUrl}/seal`);
    const links = await browser.openExtensionPage('links');
    const press = (name: string, button: RegExp) =>
      links
        .locator('.link', { hasText: `example.com/${name}` })
        .getByRole('button', { name: button })
        .click();

    await press('seal', /^Edit/);
    await links.getByLabel('Address it leads to').fill('ftp://www.example.com/');
    await links.getByRole('button', { name: 'Save', exact: true }).click();
    await links.getByText('The service does not take this URL.').waitFor();
    await links.getByLabel('Address it leads to').fill('https://www.example.com/sea-lion');
    await links.getByLabel('Title').fill('Sea lions');
    await links.getByRole('button', { name: 'Save', exact: true }).click();
    await links.getByText('Sea lions').waitFor();
    const edited = await callApi(backend, 'GET', 'urls/seal');
    expect(edited.json).toMatchObject({ url: 'https://www.example.com/sea-lion', title: 'Sea lions' });

    await press('sea-lion', /clicks? on/);
    await links.locator('dialog .chart').waitFor();
    await links.getByRole('button', { name: 'Close', exact: true }).click();

    await press('badger', /^Delete/);
    await links.getByRole('button', { name: /^Undo/ }).click();
    await links.getByText('example.com/badger').waitFor();
    expect(await statusOf('badger')).toBe(200);
    await press('badger', /^Delete/);
    // What was asked for holds where the page is left before the time of the undo is up.
    await links.close();
    await expect.poll(() => statusOf('badger')).toBe(410);

    await callApi(backend, 'DELETE', 'urls/beaver');
    await callApi(backend, 'PATCH', 'urls/seal', { title: 'Renamed elsewhere' });
    const again = await browser.openExtensionPage('links');
    await again.getByText('Renamed elsewhere').waitFor();
    await expect.poll(() => again.getByText('example.com/beaver').count()).toBe(0);
    await again.close();

    await backend.kill();
    const offline = await browser.openExtensionPage('links');
    await offline.getByText('Renamed elsewhere').waitFor();
    await offline.getByText(/cannot be reached.*Shown as read/).waitFor();
    await offline.close();
    await backend.start();
  });
});
