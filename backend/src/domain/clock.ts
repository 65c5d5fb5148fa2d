/** Milliseconds since the epoch. Passed in everywhere time matters, so that rules are tested without waiting. */
export type Clock = () => number;
