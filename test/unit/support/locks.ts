/** Locks that are granted at once, because tests abandon workers instead of ending their process. */
export const GRANTED_LOCKS = {
  request: (_name: string, _options: object, held: () => unknown) => Promise.resolve(held()),
};
