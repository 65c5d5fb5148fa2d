/** Attributes of a button while what it does is under way. It stays focusable, so that the focus is not lost. */
export function busyButtonProps(isBusy: boolean) {
  return isBusy ? { 'aria-busy': true, 'aria-disabled': true } : {};
}
