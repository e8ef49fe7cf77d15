import { activityInfo } from '@temporalio/activity'
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'

const RETRY_MAX_MS = 60_000

/**
 * The failure of an activity that got no slot, or no space, and did nothing. The history does not record it: Temporal repeats the
 * activity after a delay that doubles up to a minute.
 */
export function slotBusy(
  type: 'EndpointBusy' | 'StoreBusy' | 'DownloadsBusy' | 'ScratchFull',
  message: string,
): ApplicationFailure {
  const longestMs = Math.min(1_000 * 2 ** (activityInfo().attempt - 1), RETRY_MAX_MS)
  return ApplicationFailure.create({
    type,
    message,
    // Random, so that waiting work does not return at the same time.
    nextRetryDelay: Math.round(longestMs * (0.5 + Math.random() / 2)),
    category: ApplicationFailureCategory.BENIGN,
  })
}
