/**
 * How a step is retried after a fault of our own infrastructure, such as a full disk or a storage that is away
 * (`activities/step-failure.ts`): with growing waits, until it is over. Two weeks bound it, and leave
 * room for a long queue of other videos; a video that is not done by then fails as `internal_error`.
 */
export const OUR_FAULTS = {
  scheduleToCloseTimeout: '14 days',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
} as const
