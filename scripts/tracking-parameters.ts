// Writes the list of tracking parameters that the extension may remove from URLs: the parameters that tidy-url (MIT
// license) removes on every site. The site-specific rules of tidy-url are excluded, because they also remove
// parameters that are needed. Run this script after updating tidy-url.
import { writeFileSync } from 'node:fs';
import { globalParameters } from './tracking-parameters/parameters-from-tidy-url.ts';

writeFileSync('src/urls/tracking-parameters.json', `${JSON.stringify(globalParameters(), null, 2)}\n`);
