import { describe, expect, test, vi } from 'vitest';
import { chosenTarget } from '../../../src/background/menu.ts';

vi.mock('../../../src/platform/browser.ts', () => import('../support/fake-browser.ts'));

describe('a click in the menu', () => {
  const info = { editable: false, modifiers: [], pageUrl: 'https://x.example/page' };
  const tab = { title: 'The page', url: 'https://x.example/page' } as Parameters<typeof chosenTarget>[1];

  test.each([
    ['on the page', { ...info, menuItemId: 'shorten-page' }, { url: 'https://x.example/page', title: 'The page' }],
    [
      'on a link',
      { ...info, menuItemId: 'shorten-link', linkUrl: 'https://y.example/', linkText: 'There' },
      { url: 'https://y.example/', title: 'There' },
    ],
    [
      'on a link around an image',
      { ...info, menuItemId: 'shorten-link', linkUrl: 'https://y.example/', srcUrl: 'https://y.example/i.png' },
      { url: 'https://y.example/', title: '' },
    ],
    [
      'on an image',
      { ...info, menuItemId: 'shorten-image', srcUrl: 'https://y.example/i.png' },
      { url: 'https://y.example/i.png', title: '' },
    ],
    [
      'on a film',
      { ...info, menuItemId: 'shorten-media', srcUrl: 'https://y.example/f.webm' },
      { url: 'https://y.example/f.webm', title: '' },
    ],
    [
      'in a frame of the page, or on words marked in it,',
      { ...info, menuItemId: 'shorten-page', pageUrl: 'https://ads.example/', frameUrl: 'https://ads.example/' },
      { url: 'https://x.example/page', title: 'The page' },
    ],
    ['on nothing that has an address', { ...info, menuItemId: 'shorten-image' }, null],
  ])('%s', (_name, clicked, result) => {
    expect(chosenTarget(clicked, tab)).toEqual(result);
  });

  test('without a tab has no title', () => {
    expect(chosenTarget({ ...info, menuItemId: 'shorten-page' }, undefined)).toEqual({ url: info.pageUrl, title: '' });
  });
});
