import { defaultPayloadConverter } from '@temporalio/common'
import type { temporal } from '@temporalio/proto'

type History = temporal.api.history.v1.IHistory
type HistoryEvent = temporal.api.history.v1.IHistoryEvent

/** When each activity was scheduled, or ran as a local one, in whole seconds from the start. */
export function activityOffsetsSeconds(history: History): number[] {
  const events = history.events ?? []
  const startedAt = secondsOf(events[0])
  return events.filter(isActivity).map((event) => Math.round(secondsOf(event) - startedAt))
}

/** The summaries of activities and timers, in their order. */
export function summariesOf(history: History): string[] {
  return (history.events ?? [])
    .filter((event) => isActivity(event) || event.timerStartedEventAttributes)
    .flatMap(({ userMetadata }) => userMetadata?.summary ?? [])
    .map((payload) => defaultPayloadConverter.fromPayload<string>(payload))
}

const isActivity = (event: HistoryEvent): boolean =>
  Boolean(
    event.activityTaskScheduledEventAttributes ??
    event.markerRecordedEventAttributes?.markerName === 'core_local_activity',
  )

function secondsOf(event: HistoryEvent | undefined): number {
  const { seconds, nanos } = event?.eventTime ?? {}
  return Number(seconds ?? 0) + Number(nanos ?? 0) / 1e9
}
