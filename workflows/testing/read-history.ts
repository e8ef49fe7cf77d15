import { defaultPayloadConverter } from '@temporalio/common'
import type { temporal } from '@temporalio/proto'

type History = temporal.api.history.v1.IHistory
type HistoryEvent = temporal.api.history.v1.IHistoryEvent

/**
 * What the workflow did, in order: `activity` where one was scheduled or ran as a local one, a
 * number where a timer of so many seconds was started. Exact on a loaded machine too, where the
 * times of the events hold what the machine took for the work between them.
 */
export function stepsOf(history: History): ('activity' | number)[] {
  return (history.events ?? []).flatMap((event): ('activity' | number)[] => {
    if (isActivity(event)) return ['activity']
    const timer = event.timerStartedEventAttributes
    return timer ? [Number(timer.startToFireTimeout?.seconds ?? 0)] : []
  })
}

/** The values that the search attribute VideoStatus was given, in order. */
export function statusesOf(history: History): string[] {
  return (history.events ?? [])
    .flatMap((event) => {
      const { searchAttributes } = event.upsertWorkflowSearchAttributesEventAttributes ?? {}
      return searchAttributes?.indexedFields?.VideoStatus ?? []
    })
    .map((payload) => defaultPayloadConverter.fromPayload<string[] | string>(payload))
    .flat()
}

/** Seconds between the first event and the last one. */
export function lengthSeconds(history: History): number {
  return secondsOf(history.events?.at(-1)) - secondsOf(history.events?.[0])
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
