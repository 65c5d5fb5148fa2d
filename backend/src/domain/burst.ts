/** A rate, and how many may come at once. */
export interface Burst {
  perSecond: number;
  burst: number;
}

export interface Draw {
  allowed: boolean;
  /** The theoretical arrival time to remember, in milliseconds; unchanged where refused. */
  dueAt: number;
  /** Whole seconds until the next would be allowed; 0 where this one was. */
  retryAfter: number;
  report: { limit: number; windowSeconds: number; remaining: number; resetSeconds: number };
}

/** GCRA (ITU-T I.371) with a tolerance of `burst`. */
export function drawBurst({ perSecond, burst }: Burst, before: number, now: number): Draw {
  const interval = 1000 / perSecond;
  const window = burst * interval;
  // Never further ahead than a whole burst, so that a clock set back locks nobody out.
  const due = Math.min(Math.max(before, now), now + window);
  const allowed = due + interval - now <= window;
  const dueAt = allowed ? due + interval : due;
  return {
    allowed,
    dueAt,
    retryAfter: allowed ? 0 : Math.ceil((due + interval - window - now) / 1000),
    report: {
      limit: burst,
      windowSeconds: Math.ceil(window / 1000),
      remaining: Math.floor((window - (dueAt - now)) / interval),
      resetSeconds: Math.ceil((dueAt - now) / 1000),
    },
  };
}
