import { createRequire } from 'node:module';

interface Rule {
  name: string;
  rules?: string[];
}

/** Returns the parameters that tidy-url removes on every site, without duplicates, in the same order. */
export function globalParameters(): string[] {
  const rules = createRequire(import.meta.url)('tidy-url/data/rules.js') as Rule[];
  const everywhere = rules.find(({ name }) => name === 'Global')?.rules ?? [];
  return [...new Set(everywhere)];
}
