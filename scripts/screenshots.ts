// Takes screenshots. Without an option, of every state of the extension's pages; the first argument selects states by
// name, and the second selects a language: `npm run screenshots -- popup-done de`. With `--dashboard`, of every page of
// the dashboard. With `--store`, the pictures for the store listings.
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { dashboard: { type: 'boolean' }, store: { type: 'boolean' } },
  allowPositionals: true,
});

if (values.dashboard) await import('./pictures/dashboard-pages.ts');
else if (values.store) await import('./pictures/store-listing.ts');
else await import('./pictures/extension-states.ts');
