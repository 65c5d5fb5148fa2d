import { isReserved, isShortCode } from '../domain/codes.ts';
import { isLinkCode } from '../domain/link-codes.ts';
import type { PageContext } from './page.ts';

/**
 * The address of a link's page. An imported code may hold slashes, or be called as another page is (`import`): it is led by
 * an escaped slash, which no code begins with.
 */
export function linkAddress(code: string): string {
  return `/links/${isShortCode(code) && !isReserved(code) ? code : `%2F${encodeURIComponent(code)}`}`;
}

/** The code in the address of a link's page; null where it cannot be one. */
export function codeInAddress(context: PageContext): string | null {
  const code = (context.req.param('code') ?? '').replace(/^\//, '');
  return isLinkCode(code) ? code : null;
}
