import type { Blocked } from '../target/target.ts';
import { type Handed, HandOver } from './hand-over.ts';
import type { RefusalCode } from './messages.ts';

/** What a context menu, a shortcut or the address bar has just asked for, handed to the popup that opens to show it. */
export interface PopupTarget extends Handed {
  /** The order's id: the request's, and its link's, unless `existing` names another. */
  orderId: string;
  /** As the browser named it; undefined where it does not tell. */
  url: string | undefined;
  title: string;
  /** The tab in front that it was asked for in. Undefined: it was asked for elsewhere, or the browser does not tell. */
  tabId?: number | undefined;
  /** Why nothing was accepted. */
  refusal?: RefusalCode | Blocked;
  /** The link that was there already. */
  existing?: { linkId: string; shortUrl: string };
}

export const popupTarget = new HandOver<PopupTarget>('popupTarget');
