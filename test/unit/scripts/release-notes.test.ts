import { describe, expect, test } from 'vitest';
import { releaseNotes } from '../../../scripts/release-notes.ts';

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Not yet.

## [0.10.1] - 2026-12-24

### Fixed

- This.

## [0.1.0] - 2026-11-22

- That.
`;

describe('the release notes', () => {
  test('are the changelog section of the version, and no other', () => {
    expect(releaseNotes('v0.10.1', '0.10.1', CHANGELOG)).toBe('### Fixed\n\n- This.');
    expect(releaseNotes('v0.1.0', '0.1.0', CHANGELOG)).toBe('- That.');
  });

  test('are refused for a tag that does not match the version', () => {
    for (const tag of ['v0.10.0', '0.10.1', '', 'v0.10.1-rc']) {
      expect(() => releaseNotes(tag, '0.10.1', CHANGELOG)).toThrow(`The tag is "${tag}"`);
    }
  });

  test('are refused for a version that is not in the changelog', () => {
    expect(() => releaseNotes('v0.2.0', '0.2.0', CHANGELOG)).toThrow('no section for version 0.2.0');
    // A dot in a version matches only a literal dot.
    expect(() => releaseNotes('v0.1.0', '0.1.0', CHANGELOG.replace('[0.1.0]', '[0x1.0]'))).toThrow('has no section');
  });
});
