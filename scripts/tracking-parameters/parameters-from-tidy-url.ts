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
