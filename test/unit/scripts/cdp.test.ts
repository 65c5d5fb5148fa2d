import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { cdpOverPipe } from '../../../scripts/browsers/cdp.ts';

function givenPipes() {
  const toBrowser = new PassThrough();
  const fromBrowser = new PassThrough();
  return { toBrowser, fromBrowser, cdp: cdpOverPipe(toBrowser, fromBrowser) };
}

test('a response is matched by its id, however its bytes are split', async () => {
  const { fromBrowser, cdp } = givenPipes();
  const [first, second] = [cdp.send('One.call'), cdp.send('Another.call')];
  fromBrowser.write('{"id":2,"result":"sec');
  fromBrowser.write('ond"}\0{"id":1,"error":{"message":"not today"}}\0');
  expect(await second).toBe('second');
  await expect(first).rejects.toThrow('One.call: not today');
});

test('a call is rejected if the browser ends before it responds', async () => {
  const { fromBrowser, cdp } = givenPipes();
  const call = cdp.send('Browser.close');
  fromBrowser.destroy();
  await expect(call).rejects.toThrow('Browser.close');
});

test('a call is rejected if the browser has already ended', async () => {
  const { fromBrowser, cdp } = givenPipes();
  fromBrowser.destroy();
  await once(fromBrowser, 'close');
  await expect(cdp.send('Browser.close')).rejects.toThrow('Browser.close');
});
