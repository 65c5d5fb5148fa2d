declare module 'punycode/punycode.es6.js' {
  /** Decodes the international labels of a host name. Throws a RangeError if a label is invalid. */
  export function toUnicode(host: string): string;
}
