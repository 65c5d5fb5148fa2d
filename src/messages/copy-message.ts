/** What the background sends the offscreen document, with the text beside it. */
export const COPY_MESSAGE = 'copy-offscreen';
