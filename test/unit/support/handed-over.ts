import { popupTarget } from '../../../src/messages/open-page-with-data.ts';

/** Takes the data that the background worker has stored for the next popup. */
export const takePopupTarget = () => popupTarget.take(() => true);
