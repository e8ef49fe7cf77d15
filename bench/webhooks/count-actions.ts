import type { temporal } from '@temporalio/proto'

type HistoryEvent = temporal.api.history.v1.IHistoryEvent

/** Events that are not billed: steps of the server, and the ends of what counted when it started. */
const FREE: readonly (keyof HistoryEvent)[] = [
  'workflowTaskScheduledEventAttributes',
  'workflowTaskStartedEventAttributes',
  'workflowTaskCompletedEventAttributes',
  'workflowTaskTimedOutEventAttributes',
  'workflowTaskFailedEventAttributes',
  'activityTaskStartedEventAttributes',
  'activityTaskCompletedEventAttributes',
  'activityTaskFailedEventAttributes',
  'activityTaskTimedOutEventAttributes',
  'timerFiredEventAttributes',
  'timerCanceledEventAttributes',
  'workflowExecutionCompletedEventAttributes',
]

/**
 * Counts the actions of one workflow as Temporal bills them (docs.temporal.io/cloud/actions): its
 * start, each activity and each retry, each timer, signal and change of search attributes. The local
 * activities of one workflow task are one action, and so is each heartbeat of a task that they
 * extend. Events that are not known to be free count too.
 */
export function countActions(events: readonly HistoryEvent[]): number {
  const localActivityTasks = new Set<string>()
  let actions = 0
  events.forEach((event, index) => {
    const marker = event.markerRecordedEventAttributes
    if (marker?.markerName === 'core_local_activity')
      localActivityTasks.add(String(marker.workflowTaskCompletedEventId))
    else if (isHeartbeat(event, events[index + 1])) actions += 1
    else if (event.activityTaskStartedEventAttributes)
      // The event contains only the last attempt; the first one was counted when it was scheduled.
      actions += (event.activityTaskStartedEventAttributes.attempt ?? 1) - 1
    else if (!FREE.some((attributes) => event[attributes])) actions += 1
  })
  return actions + localActivityTasks.size
}

/** A workflow task that ended without a command and was followed immediately by another one. */
const isHeartbeat = (event: HistoryEvent, next: HistoryEvent | undefined): boolean =>
  Boolean(event.workflowTaskCompletedEventAttributes && next?.workflowTaskScheduledEventAttributes)
