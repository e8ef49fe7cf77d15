/**
 * Options of an activity that removes or ends what is left of something, without a deadline for all attempts: it must
 * finish, however long a service is down.
 */
export const UNTIL_DONE = {
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '2 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
} as const
