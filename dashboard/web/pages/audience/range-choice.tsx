import { ActionIcon, TextInput, useDirection } from '@mantine/core'
import { useState } from 'react'
import { utcDay } from '../../../../domain/timestamps.ts'
import {
  areDays,
  AUDIENCE_RANGES,
  daysOf,
  searchOf,
  shownRange,
  type Days,
  type RangeInSearch,
} from '../../api/audience.ts'
import { IconChevronLeft, IconChevronRight } from '../../icons/icons.tsx'
import { Choice } from '../../parts/forms/choice.tsx'
import { useNow } from '../../parts/text/now.ts'
import classes from './audience.module.css'
import { useShowTime } from './show-time.ts'
import { stepRange } from './step-range.ts'
import { useAudienceWords } from './words.ts'

const OWN = 'own'

/** The time of a page, which its address keeps: a range up to today, or days of one's own. */
export function RangeChoice({ search }: { search: RangeInSearch }) {
  const words = useAudienceWords()
  const show = useShowTime()
  const range = shownRange(search)
  const { from, to } = daysOf(search)
  return (
    <div className={classes.range}>
      <Choice
        aria-label={words.time}
        value={range ?? OWN}
        options={[
          ...AUDIENCE_RANGES.map((one) => [one, words.ranges[one]] as const),
          [OWN, words.ownDays],
        ]}
        onChoose={(chosen) =>
          show(chosen === OWN || chosen === undefined ? { from, to } : { range: chosen })
        }
      />
      <Steps days={{ from, to }} />
      {range === undefined && (
        <OwnDays
          key={`${from} ${to}`}
          days={{ from, to }}
          // Back leads to the range before, not through each change of a day.
          onShow={(chosen) => show(chosen, true)}
        />
      )}
    </div>
  )
}

/** Leads to the time before and to the one after. */
function Steps({ days }: { days: Days }) {
  const { earlier, later } = useAudienceWords()
  const show = useShowTime()
  const { dir } = useDirection()
  const today = utcDay(useNow())
  const [Left, Right] =
    dir === 'rtl' ? [IconChevronRight, IconChevronLeft] : [IconChevronLeft, IconChevronRight]
  const steps = [
    { label: earlier, time: stepRange(days, -1, today), Icon: Left },
    { label: later, time: stepRange(days, 1, today), Icon: Right },
  ]
  return (
    <div className={classes.steps}>
      {steps.map(({ label, time, Icon }) => (
        <ActionIcon
          key={label}
          variant="default"
          size={36}
          aria-label={label}
          title={label}
          // Keeps the focus, so that the next press leads on.
          data-disabled={time === null || undefined}
          aria-disabled={time === null}
          onClick={() => time && show(searchOf(time), true)}
        >
          <Icon size={16} />
        </ActionIcon>
      ))}
    </div>
  )
}

/** Two days; the address has them as soon as they are in order. */
function OwnDays({ days, onShow }: { days: Days; onShow: (days: Days) => void }) {
  const words = useAudienceWords()
  const [typed, setTyped] = useState(days)
  const isWrong = !areDays(typed)
  const change = (part: Partial<Days>): void => setTyped({ ...typed, ...part })
  const send = (): void => {
    if (!isWrong && (typed.from !== days.from || typed.to !== days.to)) onShow(typed)
  }
  return (
    <div className={classes.days}>
      {(['from', 'to'] as const).map((edge) => (
        <TextInput
          key={edge}
          type="date"
          aria-label={words[edge]}
          title={words[edge]}
          value={typed[edge]}
          error={isWrong}
          onChange={({ currentTarget }) => change({ [edge]: currentTarget.value })}
          onBlur={send}
          onKeyDown={({ key }) => key === 'Enter' && send()}
        />
      ))}
      {isWrong && <output className={classes.wrong}>{words.wrongDays}</output>}
    </div>
  )
}
