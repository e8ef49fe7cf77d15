import { Alert, Progress, Text } from '@mantine/core'
import { DANGER_ZONE_SHARE } from '../../../../domain/limits.ts'
import type { Usage } from '../../api/usage.ts'
import { IconAlertTriangle } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import { useFormats } from '../../parts/text/formats.ts'
import classes from './usage.module.css'
import { useUsageWords } from './words.ts'

/** How much of each limit of the plan is used. */
export function UsageLimits({ usage }: { usage: Usage }) {
  const { usage: texts } = useUsageWords()
  const { bytes, number } = useFormats()
  const { storage, bandwidth, encoding } = usage
  const minutes = (value: number): string => interpolate(texts.minutes, { number: number(value) })
  const stored = storage.used_bytes + storage.reserved_bytes
  return (
    <>
      {usage.danger_zone && (
        <Alert
          className={classes.warning}
          variant="default"
          title={texts.nearly}
          icon={<IconAlertTriangle size={18} />}
        >
          {texts.nearlyText}
        </Alert>
      )}
      <div className={classes.limits}>
        <Limit name={texts.storage} used={stored} limit={storage.limit_bytes} text={bytes}>
          {storage.reserved_bytes > 0 &&
            interpolate(texts.reserved, { size: bytes(storage.reserved_bytes) })}
        </Limit>
        <Limit
          name={texts.bandwidth}
          used={bandwidth.month_served_bytes}
          limit={bandwidth.limit_bytes}
          text={bytes}
        />
        <Limit
          name={texts.encoding}
          used={encoding.month_minutes}
          limit={encoding.limit_minutes}
          text={minutes}
        />
      </div>
    </>
  )
}

interface LimitProps {
  name: string
  used: number
  /** Null if unlimited. */
  limit: number | null
  text: (value: number) => string
  children?: string | false
}

function Limit({ name, used, limit, text, children }: LimitProps) {
  const { usage: texts } = useUsageWords()
  const { percent } = useFormats()
  const share = limit === null ? null : limit === 0 ? 1 : used / limit
  const isNear = share !== null && share >= DANGER_ZONE_SHARE
  return (
    <section className={classes.limit} data-near={isNear} aria-label={name}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <div className={classes.amount}>
        <strong>{text(used)}</strong>
        {share !== null && <span>{percent(share)}</span>}
      </div>
      {share !== null && (
        <Progress
          value={Math.min(100, share * 100)}
          size="sm"
          color={isNear ? 'orange' : undefined}
          aria-label={name}
        />
      )}
      <Text size="xs" c="dimmed">
        {limit === null
          ? interpolate(texts.unlimited, { used: text(used) })
          : interpolate(texts.of, { used: text(used), limit: text(limit) })}
      </Text>
      {children && (
        <Text size="xs" c="dimmed">
          {children}
        </Text>
      )}
    </section>
  )
}
