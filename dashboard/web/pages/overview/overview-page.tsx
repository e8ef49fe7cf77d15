import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { scopesOf } from '../../../../domain/accounts/roles.ts'
import { meQuery, useMayEdit } from '../../api/me.ts'
import {
  OVERVIEW_FRESH_MS,
  OVERVIEW_REFRESH_MS,
  overviewQuery,
  type Overview,
} from '../../api/overview.ts'
import { IconMovie } from '../../icons/icons.tsx'
import { useWords } from '../../locales/words.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { ButtonLink } from '../../parts/links/links.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Attention, Calm } from './attention.tsx'
import { Columns } from './columns.tsx'
import { Encoding } from './encoding.tsx'
import { useFirstStepsShown } from './first-steps-shown.ts'
import { FirstSteps, openSteps } from './first-steps.tsx'
import { Loading } from './loading.tsx'
import { Numbers } from './numbers.tsx'
import { isNearlyUsed, PlanUse } from './plan-use.tsx'
import { useTroubles } from './troubles.ts'
import { Watched } from './watched.tsx'
import { useOverviewWords } from './words.ts'

const route = getRouteApi('/accounts/$account/')

/** The first page after the sign-in: the next step, what needs a person, and what happens now. */
export function OverviewPage() {
  const words = useOverviewWords()
  const { account } = route.useParams()
  // Loads at the same time; what the member may do decides what is shown first.
  const { isPending } = useQuery(meQuery(account))
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
      {data && !isPending && <Parts account={account} overview={data} />}
      {(!data || isPending) && !error && <Loading />}
    </>
  )
}

interface Props {
  account: string
  overview: Overview
}

function Parts({ account, overview }: Props) {
  const { encoding, watched, plan, videos, failed_videos: failed } = overview
  const steps = useSteps(account, overview)
  const troubles = useTroubles(overview)
  const attention = troubles.length > 0 && (
    <Attention key="attention" account={account} troubles={troubles} failed={failed} />
  )
  if (videos.count === 0)
    return (
      <div className={layout.stack}>
        {steps ?? <NoVideos account={account} />}
        {attention}
      </div>
    )
  const main = [
    attention,
    encoding.count > 0 && <Encoding key="encoding" account={account} encoding={encoding} />,
  ].filter(Boolean)
  const last = watched.data.length > 0 && (
    <Watched key="watched" account={account} watched={watched} />
  )
  const use = plan && plan.uses.length > 0 && (
    <PlanUse key="plan" account={account} uses={plan.uses} />
  )
  // Until a video played on a page, there is little to count.
  const isStarting = steps !== null && !overview.steps.played_elsewhere
  return (
    <div className={layout.stack}>
      {isStarting && steps}
      {!attention && <Calm />}
      <Columns
        main={main.length > 0 ? main : [last]}
        beside={[
          !isStarting && <Numbers key="numbers" account={account} overview={overview} />,
          use && isNearlyUsed(plan.uses) && use,
          main.length > 0 && last,
          !isStarting && steps,
          use && !isNearlyUsed(plan.uses) && use,
        ]}
      />
    </div>
  )
}

/** The first steps; null if they are done or hidden, or if the member can do none of them. */
function useSteps(account: string, overview: Overview) {
  const { data: me } = useQuery(meQuery(account))
  const { isShown, dismiss } = useFirstStepsShown(account, overview.steps)
  const open = openSteps(overview, me ? scopesOf(me.role) : [])
  if (!isShown || open.length === 0) return null
  return (
    <FirstSteps key="steps" account={account} overview={overview} open={open} dismiss={dismiss} />
  )
}

function NoVideos({ account }: { account: string }) {
  const { videos } = useWords()
  return (
    <EmptyState icon={IconMovie} sample="rows" title={videos.emptyTitle} text={videos.emptyText}>
      {useMayEdit(account) && (
        <ButtonLink to="/accounts/$account/videos/add" params={{ account }}>
          {videos.add}
        </ButtonLink>
      )}
    </EmptyState>
  )
}
