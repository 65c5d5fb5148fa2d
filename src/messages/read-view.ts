import browser from 'webextension-polyfill';
import { readViewHere } from '../storage/read.ts';
import type { View, Wanted } from '../storage/view.ts';
import { ask } from './ask.ts';

/**
 * Reads what a page shows, from the database itself where it can be reached. A page in a Firefox private window has a
 * database of its own, an empty one: it asks the background.
 *
 * @throws NoReply
 */
export async function readView(isPrivate: boolean, wanted: Wanted = {}): Promise<View> {
  if (!browser.extension.inIncognitoContext) return readViewHere(isPrivate, wanted);
  const reply = await ask<View>({ type: 'view', private: isPrivate, wanted });
  if (!reply.ok) throw new Error(`The background refused its view: ${reply.code}`);
  return reply.value;
}
