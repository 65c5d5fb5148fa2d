import { stubBrowser } from './browser-stub.ts';

stubBrowser();
