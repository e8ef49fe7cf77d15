import type { Client } from '@temporalio/client'
import type { temporal } from '@temporalio/proto'
import { videoWorkflowId } from '../../domain/workflow-ids.ts'

type HistoryEvent = temporal.api.history.v1.IHistoryEvent

/** An activity of an ingest that is over. */
export interface Step {
  name: string
  /** From the request of the workflow until a worker began it. */
  waitedMs: number
  ranMs: number
}

/** Reads the activities of a video's ingest, in the order of their ends, from the history of its workflow. */
export async function stepsOfVideo(client: Client, videoId: string): Promise<Step[]> {
  const handle = client.workflow.getHandle(videoWorkflowId(videoId))
  const events = (await handle.fetchHistory()).events ?? []
  const byId = new Map(events.map((event) => [Number(event.eventId), event]))
  return events.flatMap((event) => {
    const done = event.activityTaskCompletedEventAttributes
    const scheduled = done && byId.get(Number(done.scheduledEventId))
    const started = done && byId.get(Number(done.startedEventId))
    if (!scheduled || !started) return []
    const name = scheduled.activityTaskScheduledEventAttributes?.activityType?.name ?? ''
    const waitedMs = timeMs(started) - timeMs(scheduled)
    return [{ name, waitedMs, ranMs: timeMs(event) - timeMs(started) }]
  })
}

const timeMs = ({ eventTime }: HistoryEvent): number =>
  Number(eventTime?.seconds ?? 0) * 1000 + (eventTime?.nanos ?? 0) / 1e6
