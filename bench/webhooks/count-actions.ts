import type { temporal } from '@temporalio/proto'

type HistoryEvent = temporal.api.history.v1.IHistoryEvent

/** What costs nothing by itself: the server's own steps, and the ends of what was counted at its start. */
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
 * Actions of one workflow as Temporal bills them (docs.temporal.io/cloud/actions), from its history:
 * its start, each activity and each repeat of it, each timer, signal and change of search attributes;
 * the local activities of one workflow task are one action together, and so is each heartbeat of a
 * task that they prolong. An event that is not known to be free counts as well.
 */
export function countActions(events: readonly HistoryEvent[]): number {
  const localActivityTasks = new Set<string>()
  let actions = 0
  events.forEach((event, at) => {
    const marker = event.markerRecordedEventAttributes
    if (marker?.markerName === 'core_local_activity')
      localActivityTasks.add(String(marker.workflowTaskCompletedEventId))
    else if (isHeartbeat(event, events[at + 1])) actions += 1
    else if (event.activityTaskStartedEventAttributes)
      // The event tells of the last try alone; the first was counted when it was scheduled.
      actions += (event.activityTaskStartedEventAttributes.attempt ?? 1) - 1
    else if (!FREE.some((attributes) => event[attributes])) actions += 1
  })
  return actions + localActivityTasks.size
}

/** A workflow task that ended without a command and was followed by another at once. */
const isHeartbeat = (event: HistoryEvent, next: HistoryEvent | undefined): boolean =>
  Boolean(event.workflowTaskCompletedEventAttributes && next?.workflowTaskScheduledEventAttributes)
