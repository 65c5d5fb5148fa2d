import { installPackage } from '../../backend/test/support/program.ts';
import { findChromium, findFirefox, missingPrograms } from './find.ts';

export interface TestBrowsers {
  chromium: string;
  firefox: string;
}

/**
 * Programs for tests with native windows, and their Debian packages: a display, a simulated keyboard and mouse, and the
 * clipboard. Only tests on Linux need these programs.
 */
const DISPLAY_PROGRAMS = process.platform === 'linux' ? { Xvfb: 'xvfb', xdotool: 'xdotool', xclip: 'xclip' } : {};

const ADVICE = `On Debian, install them with: sudo apt-get install chromium firefox-esr xvfb xdotool xclip.
On Ubuntu, the tests cannot use the browsers of snaps. There and on other systems, install the browsers with:
  npx playwright-core install --with-deps chromium
  npx @puppeteer/browsers install firefox@stable --path ~/.cache/puppeteer`;

/**
 * Finds Chromium, Firefox and the display programs. As root on Debian or Ubuntu, installs those that are missing.
 *
 * @throws with instructions if a program is still missing
 */
export async function provideBrowsers(log: (line: string) => void): Promise<TestBrowsers> {
  if (!findChromium()) installPackage('chromium', log);
  if (!(await findFirefox())) installPackage('firefox-esr', log);
  for (const [program, name] of Object.entries(DISPLAY_PROGRAMS)) {
    if (missingPrograms(program).length > 0) installPackage(name, log);
  }
  const [chromium, firefox] = [findChromium(), await findFirefox()];
  const missing = [
    ...(chromium ? [] : ['Chromium (or set TERSE_CHROMIUM to its path)']),
    ...(firefox ? [] : ['Firefox (or set TERSE_FIREFOX to its path)']),
    ...missingPrograms(...Object.keys(DISPLAY_PROGRAMS)),
  ];
  if (!chromium || !firefox || missing.length > 0) {
    throw new Error(`These programs for the end-to-end tests were not found: ${missing.join(', ')}.\n${ADVICE}`);
  }
  return { chromium, firefox };
}
