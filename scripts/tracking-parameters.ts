// Writes the tracking parameters that the popup may take off an address: those that tidy-url (MIT) removes on every site.
// Its rules for single sites are left out: they also remove what a page needs. Run it when tidy-url is updated.
import { writeFileSync } from 'node:fs';
import { globalParameters } from './tracking-parameters/global.ts';

writeFileSync('src/urls/tracking-parameters.json', `${JSON.stringify(globalParameters(), null, 2)}\n`);
