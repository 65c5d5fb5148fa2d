import type { KnownService } from '../../../src/servers/capabilities.ts';

/** Terse servers with these base URLs of short links. */
export function terseAt(...shortBaseUrls: string[]): KnownService[] {
  return shortBaseUrls.map((shortBaseUrl) => ({
    kind: 'terse',
    service: { name: 'Terse', shortBaseUrl, features: [] },
  }));
}
