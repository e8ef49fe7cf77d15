import { isoUtc } from '../../domain/timestamps.ts'
import type { EventEnvelope } from '../../domain/webhooks/events.ts'
import { humaneTime, type Output } from '../output.ts'
import type { Forwarded } from './forward.ts'

interface Listening {
  api: string
  forwardTo: string
  /** Null if the user gave a secret. */
  freshSecret: string | null
}

/** The output of `listen`: lines for people, JSON lines for programs. */
export interface Report {
  listening(start: Listening): void
  forwarded(event: EventEnvelope, deliveryId: number, result: Forwarded): void
  /** The API does not respond or limits the rate. */
  waiting(problem: string, waitMs: number): void
  /** The totals at the end. */
  summary(): void
}

/** Creates a Report that prints to `out`. */
export function createReport(out: Output): Report {
  const counts = { forwarded: 0, accepted: 0, refused: 0, unanswered: 0 }
  return {
    listening({ api, forwardTo, freshSecret }) {
      const secret = freshSecret === null ? '' : `\nSigned with the secret ${freshSecret}`
      out.print(
        {
          object: 'listening',
          api,
          forward_to: forwardTo,
          ...(freshSecret !== null && { secret: freshSecret }),
        },
        `Listening to the events of ${api}, forwarding to ${forwardTo}${secret}`,
      )
    },
    forwarded(event, deliveryId, result) {
      counts.forwarded += 1
      counts[toOutcome(result.status)] += 1
      const record = forwardRecord(event, deliveryId, result)
      out.print(record, forwardLine(record))
    },
    waiting(problem, waitMs) {
      out.print(
        { object: 'waiting', problem, wait_ms: waitMs },
        `${problem} Trying again in ${waitMs / 1000} s.`,
      )
    },
    summary() {
      const { forwarded, accepted, refused, unanswered } = counts
      out.print(
        { object: 'summary', ...counts },
        `${forwarded} forwarded: ${accepted} accepted, ${refused} refused, ${unanswered} without a response.`,
      )
    },
  }
}

/** The JSON line of a forwarded event. */
const forwardRecord = (
  event: EventEnvelope,
  deliveryId: number,
  { status, error, durationMs }: Forwarded,
) => ({
  object: 'forward',
  delivery_id: deliveryId,
  forwarded_at: isoUtc(new Date()),
  event_id: event.id,
  event_type: event.type,
  created_at: event.created_at,
  response_status: status,
  error,
  duration_ms: durationMs,
})

/** The same for people. */
function forwardLine(record: ReturnType<typeof forwardRecord>): string {
  const { forwarded_at, event_type, event_id, response_status, error, duration_ms } = record
  const response = response_status ?? `no response: ${error}`
  return `${humaneTime(forwarded_at)}  ${event_type.padEnd(15)}  ${event_id}  ${response}  ${duration_ms} ms`
}

function toOutcome(status: number | null): 'accepted' | 'refused' | 'unanswered' {
  if (status === null) return 'unanswered'
  return status >= 200 && status < 300 ? 'accepted' : 'refused'
}
