import { popupTarget, takeHandedOver } from '../../../src/messages/open-page.ts';

/** Takes the data that the background handed to any popup. */
export const takePopupTarget = () => takeHandedOver(popupTarget, () => true);
