import browser from 'webextension-polyfill';
import { readViewHere } from '../storage/read.ts';
import type { View } from '../storage/view.ts';
import { ask } from './ask.ts';

/**
 * Reads what a page shows, from the database itself where it can be reached. A page in a Firefox private window has a
 * database of its own, an empty one: it asks the background.
 *
 * @param links how many of the latest links to read
 * @throws NoReply
 */
export async function readView(isPrivate: boolean, links?: number): Promise<View> {
  if (!browser.extension.inIncognitoContext) return readViewHere(isPrivate, links);
  const reply = await ask<View>({ type: 'view', private: isPrivate, links: links ?? null });
  if (!reply.ok) throw new Error(`The background refused its view: ${reply.code}`);
  return reply.value;
}
