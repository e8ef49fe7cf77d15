/** How many days records are kept that only the operator can judge; what the contract fixes is in `limits.ts`. */
export interface Retention {
  playbackSessionDays: number
  securityEventDays: number
  auditEntryDays: number
  usageDays: number
  /** For the sums of the audience by day. */
  audienceDays: number
  /** For what is known of a viewer, after the viewer's last session. */
  viewerDays: number
  /** For the rows of deleted videos, after their objects were removed. */
  deletedVideoDays: number
}

export const DEFAULT_RETENTION: Retention = {
  playbackSessionDays: 365,
  securityEventDays: 365,
  auditEntryDays: 1095,
  usageDays: 1095,
  audienceDays: 1095,
  viewerDays: 365,
  deletedVideoDays: 90,
}
