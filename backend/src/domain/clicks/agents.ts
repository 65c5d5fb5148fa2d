import { isbot } from 'isbot';
import { UAParser } from 'my-ua-parser';
import { OTHER } from './names.ts';

/** What a User-Agent tells of who clicked. */
export interface Agent {
  bot: boolean;
  browser: string;
  system: string;
  device: string;
}

/** As much of a User-Agent as is looked at, in characters. Those of browsers have about 120. */
export const AGENT_LIMIT = 500;

/** Names of browsers and systems are the parser's own and short; a longer one was made up by the client. */
const NAME_LIMIT = 40;

/** Classifies a User-Agent. A client that sends none is a program: every browser has one. */
export function classifyAgent(text: string): Agent {
  const { browser, os, device } = new UAParser(text.slice(0, AGENT_LIMIT)).getResult();
  return {
    bot: text === '' || isbot(text),
    browser: name(browser.name),
    system: name(os.name),
    // The parser tells kinds of devices apart from desktops, and a desktop from nothing.
    device: device.type ?? (os.name ? 'desktop' : OTHER),
  };
}

function name(claimed: string | undefined): string {
  return claimed && claimed.length <= NAME_LIMIT ? claimed : OTHER;
}
