import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { DEFAULT_RANGE, shownRange, type RangeInSearch } from '../../api/audience.ts'
import { IconChartLine } from '../../icons/icons.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { useShowTime } from './show-time.ts'
import { useAudienceWords } from './words.ts'

interface Props {
  time: RangeInSearch
  /** What leads to a first play. */
  children: ReactNode
}

/** Nothing was played in a time, nor in the one before. */
export function NoPlays({ time, children }: Props) {
  const words = useAudienceWords()
  const show = useShowTime()
  return (
    <EmptyState icon={IconChartLine} sample="chart" title={words.emptyTitle} text={words.emptyText}>
      {children}
      {shownRange(time) !== DEFAULT_RANGE && (
        <Button variant="subtle" onClick={() => show({})}>
          {words.ranges[DEFAULT_RANGE]}
        </Button>
      )}
    </EmptyState>
  )
}
