// Writes the tracking parameters that may be removed from URLs: those that tidy-url (MIT) removes on every site. Its
// rules for single sites are excluded, because they also remove needed parameters. Run it when tidy-url is updated.
import { writeFileSync } from 'node:fs';
import { globalParameters } from './tracking-parameters/global.ts';

writeFileSync('src/urls/tracking-parameters.json', `${JSON.stringify(globalParameters(), null, 2)}\n`);
