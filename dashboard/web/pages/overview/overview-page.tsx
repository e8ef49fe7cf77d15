import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import {
  OVERVIEW_FRESH_MS,
  OVERVIEW_REFRESH_MS,
  overviewQuery,
  type Overview,
} from '../../api/overview.ts'
import { IconCircleCheck } from '../../icons/icons.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { PageHeader } from '../../parts/page-header.tsx'
import { Attention, needsAttention } from './attention.tsx'
import { useFirstStepsShown } from './first-steps-shown.ts'
import { FirstSteps } from './first-steps.tsx'
import { Numbers } from './numbers.tsx'
import { useOverviewWords } from './words.ts'

const route = getRouteApi('/accounts/$account/')

/** The first page after the sign-in: what is left of the first steps, and what needs attention. */
export function OverviewPage() {
  const words = useOverviewWords()
  const { account } = route.useParams()
  const { data, error, refetch } = useQuery({
    ...overviewQuery(account),
    // What was asked for while this page was loaded is not asked for again.
    staleTime: OVERVIEW_FRESH_MS,
    refetchInterval: OVERVIEW_REFRESH_MS,
  })
  return (
    <>
      <PageHeader title={words.title} />
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data && <Parts account={account} overview={data} />}
      {!data && !error && (
        <div className={layout.stack} aria-hidden>
          <Skeleton height={92} radius="lg" />
          <Skeleton height={320} radius="lg" />
        </div>
      )}
    </>
  )
}

interface Props {
  account: string
  overview: Overview
}

function Parts({ account, overview }: Props) {
  const { calm, calmText } = useOverviewWords()
  const { isShown, dismiss } = useFirstStepsShown(account, overview.steps)
  // Without a video that plays, all counts are zero.
  const isNew = !overview.steps.video_ready
  const numbers = <Numbers account={account} overview={overview} />
  return (
    <div className={layout.stack}>
      {!isNew && numbers}
      {isShown && <FirstSteps account={account} steps={overview.steps} dismiss={dismiss} />}
      {isNew && numbers}
      <Attention account={account} overview={overview} />
      {!isShown && !needsAttention(overview) && (
        <EmptyState icon={IconCircleCheck} title={calm} text={calmText} />
      )}
    </div>
  )
}
