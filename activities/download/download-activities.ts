import type { DownloadOutcome, DownloadSourceInput } from '../../domain/ingest/ingest.ts'
import type { ActivityDeps } from '../deps.ts'
import { ingestStep } from '../ingest/ingest-step.ts'
import { createFairSlots, type FairSlots } from '../webhooks/fair-slots.ts'
import { slotBusy } from '../webhooks/slot-busy.ts'
import { createDownloadSource } from './download-source.ts'

/** The slots that the downloads of one account may hold, as a fraction of the free slots. */
const ACCOUNT_SHARE = 1 / 2
/** Slots of Temporal in addition to the downloads, so that refusing one never waits for a slot. */
const SPARE_SLOTS = 20

/**
 * The activities of the task queue `download`. `slots` is the number of downloads that this process makes at the same
 * time. One account gets at most a third of them, so that its slow links leave slots to others (ADR 0045). Throws
 * DownloadsBusy before the download begins while the account has its share.
 */
export function createDownloadActivities(deps: ActivityDeps, slots: number) {
  const shared = createFairSlots(slots, [ACCOUNT_SHARE])
  return { downloadSource: ingestStep(inSlot(shared, createDownloadSource(deps))) }
}

const inSlot =
  (slots: FairSlots, download: (input: DownloadSourceInput) => Promise<DownloadOutcome>) =>
  async (input: DownloadSourceInput): Promise<DownloadOutcome> => {
    const release = slots.take(input.accountId)
    if (!release) throw slotBusy('DownloadsBusy', 'The account has its share of the downloads')
    try {
      return await download(input)
    } finally {
      release()
    }
  }

/** The options of a worker of the task queue `download`. */
export const downloadWorkerOptions = (
  activities: ReturnType<typeof createDownloadActivities>,
  slots: number,
) => ({ activities, maxConcurrentActivityTaskExecutions: slots + SPARE_SLOTS })
