/** Returns the number of the link that is requested next, from 0 to `links` - 1. */
export type Traffic = (links: number) => number;

/** Traffic in which all links are requested equally often. Printed links or mailings cause such traffic. */
export const FLAT: Traffic = (links) => Math.floor(Math.random() * links);

/**
 * Traffic by Zipf's law with exponent 1: the link of rank k is requested 1/k as often as the link of rank 1. The code
 * uses inverse transform sampling.
 */
export const ZIPF: Traffic = (links) => Math.floor(Math.exp(Math.random() * Math.log(links)));

export const TRAFFIC = { flat: FLAT, "by Zipf's law": ZIPF } as const;
