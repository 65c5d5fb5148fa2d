import { locks } from 'node:worker_threads';
import { stubBrowser } from './browser-stub.ts';

stubBrowser();

// Happy DOM has no locks.
if (navigator.locks === null) Object.defineProperty(navigator, 'locks', { value: locks });
