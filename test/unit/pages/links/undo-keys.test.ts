import { expect, test, vi } from 'vitest';

vi.stubGlobal('navigator', { userAgent: 'X11; Linux' });
vi.stubGlobal('Element', class {});
const { isUndo } = await import('../../../../src/pages/links/undo-toast.tsx');

test.each([
  ['Latin', 'z', 'KeyZ', true],
  ['Caps Lock', 'Z', 'KeyZ', true],
  ['Hebrew', 'ז', 'KeyZ', true],
  ['Arabic', 'ئ', 'KeyZ', true],
  ['Cyrillic', 'я', 'KeyZ', true],
  ['German, letter Z', 'z', 'KeyY', true],
  ['German, letter Y (no undo)', 'y', 'KeyZ', false],
  ['French, letter W (no undo)', 'w', 'KeyZ', false],
])('Ctrl+Z undoes on every keyboard layout: %s', (_layout, key, code, isIt) => {
  const pressed = { key, code, ctrlKey: true, metaKey: false, shiftKey: false, altKey: false, target: null };
  expect(isUndo(pressed as unknown as KeyboardEvent)).toBe(isIt);
});
