import { Alert, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { DELIVERY_ATTEMPTS } from '../../../../../domain/webhooks/webhook-delivery.ts'
import type { Delivery } from '../../../api/deliveries.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useFormats } from '../../../parts/text/formats.ts'
import { useDeveloperWords } from '../words.ts'

const SECOND_MS = 1_000

/** Counts down to the next attempt of a delivery that waits. */
export function NextAttempt({ delivery }: { delivery: Delivery }) {
  const { delivery: words } = useDeveloperWords()
  const { relative, exact } = useFormats()
  const now = useSeconds()
  const { next_retry_at: next, attempts } = delivery
  const nextMs = next === null ? 0 : Date.parse(next)
  if (nextMs <= now) return <Alert color="gray">{words.due}</Alert>
  const scheduled = attempts.filter(({ trigger }) => trigger === 'schedule').length
  return (
    <Alert color="gray">
      <Text size="sm" fw={500} title={exact(nextMs)}>
        {interpolate(words.next, { time: relative(nextMs, now) })}
      </Text>
      <Text size="sm">
        {interpolate(words.nextHint, { number: scheduled + 1, total: DELIVERY_ATTEMPTS })}
      </Text>
    </Alert>
  )
}

/** The time in milliseconds; renders again every second. */
function useSeconds(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
