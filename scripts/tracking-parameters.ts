// Writes the list of tracking parameters that the extension may remove from URLs: the parameters that tidy-url (MIT
// license) removes on every site. The site-specific rules of tidy-url are excluded, because they also remove
// parameters that are needed. Run this script after updating tidy-url.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

interface Rule {
  name: string;
  rules?: string[];
}

export function globalParameters(): string[] {
  const rules = createRequire(import.meta.url)('tidy-url/data/rules.js') as Rule[];
  const everywhere = rules.find(({ name }) => name === 'Global')?.rules ?? [];
  return [...new Set(everywhere)];
}

if (import.meta.main)
  writeFileSync('src/urls/tracking-parameters.json', `${JSON.stringify(globalParameters(), null, 2)}\n`);
