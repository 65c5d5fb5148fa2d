import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type Draft,
  draftExpiry,
  fromField,
  readDraft,
  toField,
} from '../../../../src/components/link-form/link-form-values.ts';
import { NO_OPTIONS } from '../../../../src/queue/accept.ts';
import { expiryAt } from '../../../../src/queue/sending.ts';
import { capabilitiesOf } from '../../../../src/servers/capabilities.ts';

const NOW = new Date(2026, 0, 31, 9, 30, 20).getTime();
const local = (...parts: [number, number, number, number, number, number]) => new Date(...parts).getTime();
const draft = (part: Partial<Draft> = {}): Draft => ({
  code: '',
  title: '',
  tags: '',
  expiry: 'never',
  expiresAt: '',
  removeTracking: false,
  dropTextFragment: false,
  ...part,
});

const ALL = capabilitiesOf({
  kind: 'terse',
  service: {
    name: 'Full',
    shortBaseUrl: 'https://s.example',
    features: ['links', 'tags'],
  },
});

describe('an expiry', () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each(['UTC', 'Asia/Kolkata', 'America/New_York'])(
    'that the user enters is read and written in the local time zone (%s)',
    (zone) => {
      vi.stubEnv('TZ', zone);
      const at = local(2026, 6, 1, 18, 5, 0);
      expect(toField(at)).toBe('2026-07-01T18:05');
      expect(fromField('2026-07-01T18:05')).toBe(at);
      for (const text of ['', 'tomorrow', '2026-07-01', '2026-13-01T00:00']) expect(fromField(text), text).toBeNull();
    },
  );
});

describe('a draft', () => {
  test('without changes has no options', () => {
    expect(readDraft(draft({ title: '  ' }), NOW, ALL)).toEqual({ options: NO_OPTIONS });
  });

  test('has the entered options', () => {
    const expiresAt = toField(NOW + 86_400_000);
    expect(readDraft(draft({ code: ' river ', title: ' A river ', expiry: 'own', expiresAt }), NOW, ALL)).toEqual({
      options: { shortCode: 'river', title: 'A river', expiresAt: new Date(fromField(expiresAt) ?? 0).toISOString() },
    });
    expect(draftExpiry(draft({ expiry: 'week', expiresAt }), NOW)).toBe(expiryAt('week', NOW));
  });

  test('has the entered tags, or a fault if there are too many', () => {
    expect(readDraft(draft({ tags: ' birds, ,Rivers،birds ' }), NOW, ALL)).toEqual({
      options: { ...NO_OPTIONS, tags: ['birds', 'Rivers'] },
    });
    const many = Array.from({ length: 11 }, (_, index) => `tag ${index}`).join();
    expect(readDraft(draft({ tags: many }), NOW, ALL)).toEqual({ fault: 'tags' });
    expect(readDraft(draft({ tags: many }), NOW, capabilitiesOf({ kind: 'terse', service: null }))).toEqual({
      options: NO_OPTIONS,
    });
  });

  test('has only the options that the server supports, in the form that it accepts', () => {
    const can = capabilitiesOf({ kind: 'yourls', service: null });
    const typed = draft({ code: 'ab', title: 'A river', expiry: 'week' });
    expect(readDraft(typed, NOW, can)).toEqual({ options: { shortCode: 'ab', title: 'A river', expiresAt: null } });
    expect(readDraft({ ...typed, code: 'River' }, NOW, can)).toEqual({ fault: 'code' });
    expect(readDraft(typed, NOW, capabilitiesOf({ kind: 'terse', service: null }))).toEqual({ options: NO_OPTIONS });
  });

  test.each(['ab', 'with space', 'ü-code', 'a/b', 'x'.repeat(65)])('with the code "%s" is not sent', (code) => {
    expect(readDraft(draft({ code }), NOW, ALL)).toEqual({ fault: 'code' });
  });

  test.each(['', '2026-01-31T09:30', '2020-01-01T00:00'])(
    'with the expiry "%s" is not sent, because it is in the past or invalid',
    (expiresAt) => {
      expect(readDraft(draft({ expiry: 'own', expiresAt }), NOW, ALL)).toEqual({ fault: 'expiresAt' });
    },
  );
});
