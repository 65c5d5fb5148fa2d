/** Which of `links` links is followed next, from 0 on. */
export type Traffic = (links: number) => number;

/** Every link as often as any other: what long tails of printed links and mailings come to. */
export const FLAT: Traffic = (links) => Math.floor(Math.random() * links);

/** By Zipf's law with exponent 1: the link of rank k is followed 1/k as often as the first. Drawn by the inverse of its sum. */
export const ZIPF: Traffic = (links) => Math.floor(Math.exp(Math.random() * Math.log(links)));

export const TRAFFIC = { flat: FLAT, "by Zipf's law": ZIPF } as const;
