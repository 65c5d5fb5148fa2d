/** Returns the number of the next requested link, from 0 to `links` - 1. */
export type Traffic = (links: number) => number;

/** Requests all links equally often, like traffic from printed links or mailings. */
export const FLAT: Traffic = (links) => Math.floor(Math.random() * links);

/**
 * Zipf's law with exponent 1: the link of rank k is requested 1/k as often as the first link. The code uses the
 * inverse of the cumulative sum.
 */
export const ZIPF: Traffic = (links) => Math.floor(Math.exp(Math.random() * Math.log(links)));

export const TRAFFIC = { flat: FLAT, "by Zipf's law": ZIPF } as const;
