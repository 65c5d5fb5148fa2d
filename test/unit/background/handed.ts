import { takeHandedOver } from '../../../src/messages/hand-over.ts';
import { popupTarget } from '../../../src/messages/popup-target.ts';

/** Takes what the background has handed to the popup, whichever popup that is for. */
export const takePopupTarget = () => takeHandedOver(popupTarget, () => true);
