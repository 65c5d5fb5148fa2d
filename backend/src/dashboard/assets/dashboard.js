// Everything works without this; it makes some of it quicker.
import { showConnectionLink } from './connection-link.js';
import { enableCopying } from './copy.js';
import { followImport } from './import-progress.js';
import { showLocalTimes } from './times.js';

showConnectionLink();
enableCopying();
showLocalTimes();
followImport();
