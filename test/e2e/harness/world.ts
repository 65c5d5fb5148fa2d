import { onTestFinished } from 'vitest';
import { type Backend, startBackend } from './backend.ts';
import { type Browser, type LaunchOptions, launchChromium } from './chromium.ts';
import { SHIPPED, withLoopbackGranted } from './extension-copy.ts';
import { connect } from './person.ts';
import { type Site, startSite } from './site.ts';
import { type SpecOnlyService, startSpecOnlyService } from './spec-only-service.ts';

export const HOST = 'news.example';

/** A high rate limit that delays no test. Other tests cover the default rate limit. */
const QUICK = { TERSE_THROTTLE: '100' };

export async function givenBackend(environment: Record<string, string> = {}): Promise<Backend> {
  const backend = await startBackend({ ...QUICK, ...environment });
  onTestFinished(() => backend.kill());
  return backend;
}

/** Starts a service that only follows the specification, and stops it when the test ends. */
export async function givenSpecOnlyService(): Promise<SpecOnlyService> {
  const service = await startSpecOnlyService();
  onTestFinished(() => service.close());
  return service;
}

export async function givenSite(): Promise<Site> {
  const site = await startSite();
  onTestFinished(() => site.close());
  return site;
}

/** Starts a Chromium with the built extension and permission for loopback, and closes it when the test ends. */
export async function givenChromium(options: Partial<LaunchOptions> = {}): Promise<Browser> {
  const extension = options.extension ?? withLoopbackGranted(SHIPPED.chrome);
  const browser = await launchChromium({ hosts: [HOST], ...options, extension });
  onTestFinished(() => browser.kill());
  return browser;
}

/** Starts a browser, a web site and a backend, and connects the extension to the backend. */
export async function givenConnection(environment: Record<string, string> = {}) {
  const [backend, site, browser] = await Promise.all([givenBackend(environment), givenSite(), givenChromium()]);
  const options = await connect(browser, backend.connectionLink);
  const page = (path: string) => `http://${HOST}:${site.port}${path}`;
  return { backend, site, browser, options, page };
}
