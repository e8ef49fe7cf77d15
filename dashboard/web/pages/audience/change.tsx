import { VisuallyHidden } from '@mantine/core'
import { IconArrowDownRight, IconArrowUpRight } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import { useFormats } from '../../parts/text/formats.ts'
import { changeOf, METRIC_FACTS } from './metrics.ts'
import classes from './numbers.module.css'
import type { Metric } from './search.ts'
import { useAudienceWords } from './words.ts'

/** Smaller changes are none. */
const LEAST_CHANGE = 0.005

interface Props {
  metric: Metric
  now: number | null
  before: number | null
}

/** How a number has changed: an arrow and a percentage, in words for screen readers and on hover. */
export function Change({ metric, now, before }: Props) {
  const { change: words } = useAudienceWords()
  const formats = useFormats()
  const { text, isBad = false } = METRIC_FACTS[metric]
  const change = changeOf(now, before)
  if (change === null || before === null) return <Still text={words.none} sign="–" />
  if (Math.abs(change) < LEAST_CHANGE) return <Still text={words.same} sign={formats.percent(0)} />
  const isUp = change > 0
  const share = formats.percent(Math.abs(change))
  const values = { share, before: formats[text](before) }
  const said = interpolate(isUp ? words.up : words.down, values)
  const Arrow = isUp ? IconArrowUpRight : IconArrowDownRight
  return (
    <span className={classes.change} data-good={isUp !== isBad} title={said}>
      <span aria-hidden>
        <Arrow size={14} stroke={2} />
        {share}
      </span>
      <VisuallyHidden>{said}</VisuallyHidden>
    </span>
  )
}

const Still = ({ text, sign }: { text: string; sign: string }) => (
  <span className={classes.change} title={text}>
    <span aria-hidden>{sign}</span>
    <VisuallyHidden>{text}</VisuallyHidden>
  </span>
)
