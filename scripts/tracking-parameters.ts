// Writes the list of tracking parameters that the extension may remove from URLs. They are the parameters that
// tidy-url (MIT license) removes on every site. Its rules for single sites are excluded, because they also remove
// needed parameters. Run this script when tidy-url is updated.
import { writeFileSync } from 'node:fs';
import { globalParameters } from './tracking-parameters/global.ts';

writeFileSync('src/urls/tracking-parameters.json', `${JSON.stringify(globalParameters(), null, 2)}\n`);
