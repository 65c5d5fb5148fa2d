import type { Page, PageContext } from '../page.ts';
import { errorPage } from './error.ts';

/** A handler for one thing of an account, such as a link; where it is not found, the answer is a page that says so. */
export function ifFound<T>(
  find: (context: PageContext) => Promise<T | null>,
  handle: (context: PageContext, found: T) => Response | Promise<Response>,
): Page['handle'] {
  return async (context) => {
    const found = await find(context);
    return found === null ? errorPage(context, 404) : handle(context, found);
  };
}
