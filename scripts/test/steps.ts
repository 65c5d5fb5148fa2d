import { provideBrowsers } from '../browsers/install.ts';
import { type Count, ONE_FAILED } from './count.ts';
import { lintForMozilla } from './mozilla-lint.ts';
import { check, vitest } from './run.ts';

export interface Step {
  name: string;
  run(): Count | Promise<Count>;
}

const TYPESCRIPT_PROJECTS = ['contract', 'backend', 'src', '.'];

export const TYPES: Step = {
  name: 'types',
  run: () => check(...TYPESCRIPT_PROJECTS.map((project) => ['tsc', '-p', project])),
};
export const LINT: Step = {
  name: 'lint, format and import directions',
  run: () =>
    check(
      ['biome', 'ci', '--error-on-warnings', '.'],
      ['depcruise', 'src', 'contract/src', 'backend/src', '--config', '.dependency-cruiser.mjs'],
    ),
};
export const BUILD: Step = {
  name: 'build for Chrome and Firefox',
  run: () => check(...['chrome', 'firefox'].map((mode) => ['vite', 'build', '--logLevel=warn', '--mode', mode])),
};
export const FIREFOX_LINT: Step = {
  name: "Mozilla's linter",
  run: lintForMozilla,
};
export const UNIT: Step = {
  name: 'unit and integration tests',
  run: () => vitest(['!e2e']),
};

/**
 * Tests the built extension with real browsers and the real backend. If a browser is missing, fails with
 * instructions.
 */
export const END_TO_END: Step = {
  name: 'end-to-end tests',
  run: async () => ((await hasBrowsers()) ? vitest(['e2e']) : ONE_FAILED),
};

/** Finds or downloads the browsers. If a browser is still missing, prints instructions and returns false. */
export async function hasBrowsers(): Promise<boolean> {
  try {
    const { chromium, firefox } = await provideBrowsers((line) => console.log(line));
    console.log(`Chromium: ${chromium}\nFirefox:  ${firefox}\n`);
    return true;
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error));
    return false;
  }
}
