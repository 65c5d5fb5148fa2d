/** Returns the attributes of a button that shows progress. The button stays focusable, so the focus is not lost. */
export function busyButtonProps(isBusy: boolean) {
  return isBusy ? { 'aria-busy': true, 'aria-disabled': true } : {};
}
