import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  areDays,
  AUDIENCE_RANGES,
  daysOf,
  shownRange,
  type Days,
  type RangeInSearch,
} from '../../api/audience.ts'
import { Choice } from '../../parts/forms/choice.tsx'
import classes from './audience.module.css'
import { useAudienceWords } from './words.ts'

const OWN = 'own'
const FIRST_PAGE = { after: undefined, before: undefined }

/** The time of a page, which its address keeps: a range up to today, or days of one's own. */
export function RangeChoice({ search }: { search: RangeInSearch }) {
  const words = useAudienceWords()
  const navigate = useNavigate()
  const range = shownRange(search)
  const { from, to } = daysOf(search)
  const show = (time: RangeInSearch, replace = false): void => {
    const none = { range: undefined, from: undefined, to: undefined }
    const change = { ...none, ...FIRST_PAGE, ...time }
    void navigate({
      to: '.',
      search: (now) => ({ ...now, ...change }),
      replace,
      resetScroll: false,
    })
  }
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
