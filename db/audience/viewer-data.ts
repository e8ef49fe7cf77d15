/** Condition on account `a`: it keeps the totals of its audience, and nothing of each viewer. */
export const keepsTotalsOnly = (a: string): string =>
  `coalesce((${a}.settings #>> '{viewer_data,totals_only}')::boolean, false)`

/** The days that account `a` has set for its sessions or for the progress of its viewers; null for those of the installation. */
export const ownKeptDays = (a: string, what: 'sessions' | 'progress'): string =>
  `(${a}.settings #>> '{viewer_data,${what}_kept_days}')::int`
