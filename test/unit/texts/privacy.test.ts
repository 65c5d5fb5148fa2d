import { describe, expect, test } from 'vitest';
import { checkShown, onOneLine, type Proof, readProofs, readSource, sourcesIn } from '../support/proofs.ts';

describe('the privacy policy', () => {
  const proofs = readProofs<Proof>('docs/privacy.tests.yaml');

  test('has a test for every sentence, in the same order, and no others', () => {
    const paragraphs = readSource('docs/privacy.md')
      .split('\n\n')
      .filter((paragraph) => !paragraph.startsWith('#'))
      .map(onOneLine);
    const sentences = paragraphs.flatMap((paragraph) => paragraph.split(/(?<=[.!?])\s+(?=["A-Z])/));
    expect(sentences.length).toBeGreaterThan(30);
    expect(proofs.map(({ says }) => says)).toEqual(sentences);
  });

  test.each(proofs)('$says', ({ shown }) => checkShown(shown));
});

const { using } = sourcesIn('src/');

test('the code stores data only in known places, and does not read other data', () => {
  expect(using(/\bopenDB\b/)).toEqual(['src/storage/database.ts']);
  expect(using(/storage\.sync|storage\.managed|document\.cookie|\.cookies\b/)).toEqual([]);
  expect(using(/clipboard\.read|execCommand\('paste'\)/)).toEqual([]);
  expect(using(/browser\.(history|bookmarks|downloads|webNavigation|webRequest|topSites|sessions)\b/)).toEqual([]);
});

test('the code sends data only with fetch, from known places', () => {
  expect(using(/XMLHttpRequest|sendBeacon|WebSocket|EventSource|WebTransport|RTCPeerConnection|new Image\(/)).toEqual(
    [],
  );
  expect(using(/[^.\w]fetch\(/)).toEqual(['src/servers/call-server.ts']);
});

test("scripts run in pages for two features, each at the user's request", () => {
  expect(using(/executeScript/)).toEqual(['src/browser/read-page.ts']);
  const code = readSource('src/browser/read-page.ts');
  expect(code.match(/executeScript/g)).toHaveLength(2);
});

test('the code reads the URLs of other tabs in one place', () => {
  expect(using(/permissions: \[[^\]]*'tabs'/)).toEqual(['src/pages/bulk/collect-urls.ts']);
});
