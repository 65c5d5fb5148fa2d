import { popupTarget, takeHandedOver } from '../../../src/messages/open-page.ts';

/** Takes what the background has handed to the popup, whichever popup that is for. */
export const takePopupTarget = () => takeHandedOver(popupTarget, () => true);
