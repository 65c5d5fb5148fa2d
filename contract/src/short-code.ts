/** A code its owner chose: 3 to 64 of `[A-Za-z0-9_-]`. Generated codes are a subset of this. */
export const SHORT_CODE_PATTERN = /^[A-Za-z0-9_-]{3,64}$/;
