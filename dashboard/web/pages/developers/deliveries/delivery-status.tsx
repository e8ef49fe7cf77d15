import type { DeliveryStatus, DeliverySummary } from '../../../api/deliveries.ts'
import { Dot } from '../../../parts/text/dot.tsx'
import classes from '../developers.module.css'
import { useDeveloperWords } from '../words.ts'

const TONES = { pending: 'waiting', delivered: 'good', failed: 'bad' } as const

/** The status of a delivery as a word, with a dot in its colour. */
export function DeliveryStatusBadge({ status }: { status: DeliveryStatus }) {
  const { deliveries } = useDeveloperWords()
  return <Dot tone={TONES[status]}>{deliveries[status]}</Dot>
}

/** What the receiver last responded with, as a status of HTTP or the class of the failure. */
export function LastResponse({ delivery }: { delivery: DeliverySummary }) {
  const { last_response_status: status, last_error_code: code, error_code: end } = delivery
  const text = status ?? code ?? end
  if (text === null) return '–'
  return (
    <span className={classes.mono} dir="ltr">
      {text}
    </span>
  )
}
