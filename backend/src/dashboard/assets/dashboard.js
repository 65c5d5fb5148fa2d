// Everything works without this; it makes some of it quicker.
import { enableChart } from './chart.js';
import { showConnectionLink } from './connection-link.js';
import { enableCopying } from './copy.js';
import { followImport } from './import-progress.js';
import { keepTimeZone } from './time-zone.js';

keepTimeZone();
showConnectionLink();
enableCopying();
enableChart();
followImport();
