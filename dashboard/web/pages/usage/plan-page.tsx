import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { problemOf } from '../../api/problem.ts'
import { paymentsQuery, planQuery } from '../../api/usage.ts'
import { IconCreditCardOff, IconReceipt } from '../../icons/icons.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { TableSkeleton } from '../../parts/lists/data-table.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { SectionTitle } from '../../parts/section.tsx'
import { PaymentsTable } from './payments-table.tsx'
import { PlanFacts } from './plan-facts.tsx'
import classes from './usage.module.css'
import { useUsageWords } from './words.ts'

const route = getRouteApi('/accounts/$account/usage-and-plan/plan')

/** The plan of the account and what was paid for it. Only the operator changes either. */
function PlanPage() {
  const { plan: texts } = useUsageWords()
  const { account } = route.useParams()
  // How high the plan is says where the payments begin.
  const { isPending } = useQuery(planQuery(account))
  return (
    <>
      <PageHeader isHidden title={texts.title} />
      <div className={classes.stack}>
        <PlanPart account={account} />
        {!isPending && (
          <>
            <SectionTitle>{texts.payments}</SectionTitle>
            <Payments account={account} />
          </>
        )}
      </div>
    </>
  )
}

function PlanPart({ account }: { account: string }) {
  const { plan: texts } = useUsageWords()
  const { data, error, refetch } = useQuery(planQuery(account))
  if (data) return <PlanFacts plan={data} />
  if (!error) return <Skeleton height={220} radius="lg" />
  if (problemOf(error).code !== 'plan_not_found')
    return <ErrorState error={error} retry={() => void refetch()} />
  return (
    <EmptyState
      icon={IconCreditCardOff}
      sample="chart"
      title={texts.noPlanTitle}
      text={texts.noPlanText}
    />
  )
}

function Payments({ account }: { account: string }) {
  const { plan: texts } = useUsageWords()
  const cursors = route.useSearch()
  const { data, error, refetch } = useQuery(paymentsQuery(account, cursors))
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <TableSkeleton rows={3} />
  if (data.data.length === 0)
    return (
      <EmptyState
        icon={IconReceipt}
        sample="rows"
        title={texts.emptyTitle}
        text={texts.emptyText}
      />
    )
  return (
    <>
      <PaymentsTable payments={data.data} />
      <Pager page={data} cursors={cursors} />
    </>
  )
}

export const planRoute = createLazyRoute('/accounts/$account/usage-and-plan/plan')({
  component: PlanPage,
})
