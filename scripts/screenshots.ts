// Takes screenshots. Without an option, of every state of the extension's pages; the first argument selects states by
// name, and the second selects a language: `npm run screenshots -- popup-done de`. With `--dashboard`, of every page of
// the dashboard. With `--store`, the pictures for the store listings.
import { readOptions } from './read-options.ts';

const usage = 'npm run screenshots -- [--dashboard | --store] [STATE [LANGUAGE]]';
const options = readOptions(usage, { dashboard: { type: 'boolean' }, store: { type: 'boolean' } }, true);

if (options.dashboard) await import('./pictures/dashboard-pages.ts');
else if (options.store) await import('./pictures/store-listing.ts');
else await import('./pictures/extension-states.ts');
