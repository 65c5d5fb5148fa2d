import { formatConnectionLink } from '@terse/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeChhoto } from '../unit/servers/fakes/fake-chhoto.ts';
import { FakeKutt } from '../unit/servers/fakes/fake-kutt.ts';
import type { FakeServer } from '../unit/servers/fakes/fake-server.ts';
import { FakeShlink } from '../unit/servers/fakes/fake-shlink.ts';
import { FakeSink } from '../unit/servers/fakes/fake-sink.ts';
import { FakeYourls } from '../unit/servers/fakes/fake-yourls.ts';
import { connectAnotherOn, connectOn, resultIn, shortenOther } from './harness/person.ts';
import { BROWSERS_FOR_PAGES } from './harness/world.ts';

// Uses servers of other kinds in a real browser. Unit tests check the adapters in detail, also after a lost answer.

const FAKES: Record<string, FakeServer> = {
  Kutt: new FakeKutt(),
  YOURLS: new FakeYourls(),
  Sink: new FakeSink(),
  Shlink: new FakeShlink(),
  'chhoto-url': new FakeChhoto(),
};

beforeAll(async () => {
  for (const fake of Object.values(FAKES)) {
    // The browser uses the real time.
    Object.defineProperty(fake, 'now', { get: () => Date.now() });
    await fake.start();
  }
});
afterAll(() => Promise.all(Object.values(FAKES).map((fake) => fake.stop())));

test.each(BROWSERS_FOR_PAGES)(
  'in $name, servers of all kinds are recognized, create links and list them',
  async (kind) => {
    const browser = await kind.startBrowser();
    try {
      const options = await browser.openExtensionPage('options');
      for (const [name, fake] of Object.entries(FAKES)) {
        const connect = fake === FAKES.Kutt ? connectOn : connectAnotherOn;
        await connect(options, formatConnectionLink(fake));
        await options.locator('.connection-head').getByText(name).first().waitFor();
        fake.add({ shortCode: `made-in-${kind.name}`, url: `https://www.example.com/elsewhere/${name}` });
      }
      await options.close();

      const popup = await browser.openExtensionPage('popup');
      for (const [name, fake] of Object.entries(FAKES)) {
        const url = `https://www.example.com/${kind.name}/${name}`;
        await popup.getByLabel('Shorten with').selectOption(new URL(fake.baseUrl).host);
        await shortenOther(popup, url);
        const shortUrl = await resultIn(popup);
        expect(shortUrl).toContain(fake.links.find((link) => link.url === url)?.shortCode ?? 'no code');
        await popup.getByRole('button', { name: 'Back to this page' }).click();
      }
      await popup.close();

      const links = await browser.openExtensionPage('links');
      for (const name of Object.keys(FAKES)) {
        for (const path of ['elsewhere', kind.name])
          await links.getByText(`www.example.com/${path}/${name}`).first().waitFor();
      }
    } finally {
      await browser.kill();
    }
  },
);
