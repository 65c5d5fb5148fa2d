import type { DayCounts } from './counts.ts';
import { hourNumber } from './days.ts';

/** What the links of one account had together in one hour. */
export interface AccountHour {
  account: number;
  /** By the hour's number, `hourNumber`. */
  hour: number;
  clicks: number;
}

/** Adds up the clicks of some links by account and hour. */
export interface AccountHours {
  add(account: number, day: number, counts: Pick<DayCounts, 'hours'>): void;
  /** In one order, so that whoever writes them locks their rows in that order. */
  sums(): AccountHour[];
}

export function createAccountHours(): AccountHours {
  const accounts = new Map<number, Map<number, number>>();
  return {
    add(account, day, { hours }) {
      const sums = accounts.get(account) ?? new Map<number, number>();
      accounts.set(account, sums);
      for (const [hour, { clicks }] of hours) {
        const number = hourNumber(day, hour);
        if (clicks > 0) sums.set(number, (sums.get(number) ?? 0) + clicks);
      }
    },
    sums: () =>
      [...accounts]
        .flatMap(([account, sums]) => [...sums].map(([hour, clicks]) => ({ account, hour, clicks })))
        .sort((one, other) => one.account - other.account || one.hour - other.hour),
  };
}
