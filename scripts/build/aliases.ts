/** What takes the place of a package in what ships. */
export const ALIASES = {
  // The contract's schemas, read by a tenth of the code.
  'zod/mini': '@terse/contract/lean/zod-mini',
};
