/** Locks that are granted at once, because tests abandon workers instead of ending their process. */
export const GRANTED_LOCKS = {
  request: async (_name: string, ...rest: unknown[]) => (rest.at(-1) as () => unknown)(),
};
