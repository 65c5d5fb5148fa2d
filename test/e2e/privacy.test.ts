import { expect, onTestFinished, test } from 'vitest';
import { addToList, chooseInMenu, connectAnotherOn, connectOn, resultIn, shortenOther } from './harness/person.ts';
import { type Recorded, startRecordingProxy } from './harness/proxies.ts';
import { BROWSERS, givenBackend, givenSite, HOST } from './harness/world.ts';

// Compares docs/privacy.md with all requests that each browser sends while a user tries every feature.

/** Hosts that browsers contact for their own updates, settings and time, even without an extension. */
const BROWSERS_OWN =
  /^https?:\/\/([\w-]+\.)*(google|googleapis|gstatic|gvt1|mozilla|firefox|openh264)\.(com|org|net)(:\d+)?$/;

/** Host of the shortened URLs. The extension must never open these URLs. */
const TARGETS = 'targets.example';

test.each(BROWSERS)(
  "$name sends the user's actions to the connected services, and nothing anywhere else",
  async (kind) => {
    const [backend, other, site] = await Promise.all([givenBackend(), givenBackend(), givenSite()]);
    const siteHost = `${HOST}:${site.port}`;
    const services = [backend, other].map(({ baseUrl }) => new URL(baseUrl));
    const proxy = await startRecordingProxy({
      ...Object.fromEntries(services.map(({ host, port }) => [host, Number(port)])),
      [siteHost]: site.port,
    });
    onTestFinished(() => proxy.close());
    const browser = await kind.startBrowser({ proxy: proxy.address });
    onTestFinished(() => browser.kill());
    const sentTo = (baseUrl: string) => proxy.recorded.filter(({ origin }) => origin === baseUrl);

    const options = await browser.openExtensionPage('options');
    await connectOn(options, backend.connectionLink);
    const tab = await browser.openTab(`http://${siteHost}/otters?title=About+otters&utm_source=news`);
    const popup = await browser.openPopup(tab);
    // The extension sends nothing before the user asks for a link.
    await popup.getByRole('button', { name: 'Shorten this page' }).waitFor();
    expect(sentTo(backend.baseUrl).filter(({ method }) => method === 'POST')).toEqual([]);
    await popup.getByRole('button', { name: 'Shorten this page' }).click();
    await resultIn(popup);
    await popup.close();
    // The title of the page stays in the browser until the user chooses to save titles.
    expect(JSON.stringify(proxy.recorded.map(({ body }) => body))).not.toContain('About otters');
    await options.getByRole('checkbox', { name: 'Save page titles with links' }).check();
    const titled = await browser.openTab(`http://${siteHost}/otters?title=On+otters`);
    const again = await browser.openPopup(titled);
    await again.getByRole('button', { name: 'Shorten this page' }).click();
    await resultIn(again);
    await again.close();
    expect(JSON.stringify(sentTo(backend.baseUrl).map(({ body }) => body))).toContain('On otters');

    const page = await browser.openExtensionPage('popup');
    await shortenOther(page, `https://somebody:secret@${TARGETS}/with-a-password`);
    await resultIn(page);
    await page
      .getByRole('button', { name: /^QR code/ })
      .first()
      .click();
    await page.locator('.qr').waitFor();
    await page.close();

    const many = await browser.openExtensionPage('bulk');
    await addToList(many, [1, 2, 3].map((at) => `https://${TARGETS}/${at}`).join('\n'));
    await many.getByRole('button', { name: 'Shorten 3 addresses' }).click();
    await many.getByText('3 of 3 shortened').waitFor();
    await many.close();

    await connectAnotherOn(options, other.connectionLink);
    await options.close();

    const links = await browser.openExtensionPage('links');
    const row = links.locator('.link', { hasText: `${TARGETS}/1` });
    await chooseInMenu(row, 'Clicks');
    await links.locator('dialog .chart').waitFor();
    await links.getByRole('button', { name: 'Close' }).click();
    await chooseInMenu(row, 'Delete');
    await links.close();
    const deletions = () => sentTo(backend.baseUrl).filter(({ method }) => method === 'DELETE');
    await expect.poll(() => deletions().length).toBe(1);

    const { recorded } = proxy;
    const elsewhere = recorded.filter(({ origin }) => !BROWSERS_OWN.test(origin) && origin !== `http://${siteHost}`);
    expect(new Set(elsewhere.map(({ origin }) => origin))).toEqual(new Set([backend.baseUrl, other.baseUrl]));
    // The user opened these pages in tabs. The extension must not open them.
    const visits = recorded.filter(({ origin, path }) => origin === `http://${siteHost}` && path !== '/favicon.ico');
    expect(visits.map(({ path }) => path)).toEqual([
      '/otters?title=About+otters&utm_source=news',
      '/otters?title=On+otters',
    ]);

    for (const { baseUrl, apiKey } of [backend, other]) {
      expect(sentTo(baseUrl).length).toBeGreaterThan(0);
      expect(keysIn(sentTo(baseUrl))).toEqual([apiKey]);
    }
    for (const { headers } of elsewhere) expect(headers).not.toHaveProperty('cookie');
    const sent = JSON.stringify(recorded);
    expect(sent).not.toContain('somebody');
    expect(sent).toContain(`https://${TARGETS}/with-a-password`);
    // URLs that are shortened with one service are not sent to the other service.
    expect(JSON.stringify(sentTo(other.baseUrl))).not.toContain(TARGETS);
  },
);

function keysIn(requests: Recorded[]): string[] {
  const found = JSON.stringify(requests).match(/terse_[A-Za-z0-9]{36}/g) ?? [];
  return [...new Set(found)];
}
