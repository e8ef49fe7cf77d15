import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { csvOf } from '../../../../domain/csv.ts'
import { USAGE_RANGES, usageQuery, type Usage } from '../../api/usage.ts'
import { IconDownload } from '../../icons/icons.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { Choice } from '../../parts/forms/choice.tsx'
import { saveCsv } from '../../parts/lists/save-csv.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { UsageCharts } from './usage-charts.tsx'
import { UsageLimits } from './usage-limits.tsx'
import classes from './usage.module.css'
import { useUsageWords } from './words.ts'

const route = getRouteApi('/accounts/$account/usage-and-plan/usage')

/** What the account uses of its plan, and on which days. */
function UsagePage() {
  const { usage: texts } = useUsageWords()
  const { account } = route.useParams()
  const { days } = route.useSearch()
  const { data, error, refetch } = useQuery(usageQuery(account, days))
  return (
    <>
      <PageHeader isHidden title={texts.title} />
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data && (
        <div className={classes.stack}>
          <UsageLimits usage={data} />
          <div className={classes.tools}>
            <RangeChoice />
            <ExportUsage usage={data} />
          </div>
          <UsageCharts usage={data} />
          <p className={classes.note}>{texts.note}</p>
        </div>
      )}
      {!data && !error && (
        <div className={classes.stack} aria-hidden>
          <Skeleton height={110} radius="lg" />
          <Skeleton height={270} radius="lg" />
          <Skeleton height={270} radius="lg" />
        </div>
      )}
    </>
  )
}

function RangeChoice() {
  const { usage: texts } = useUsageWords()
  const { days = 'month' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Choice
      aria-label={texts.range}
      value={days}
      options={USAGE_RANGES.map((one) => [one, texts.ranges[one]])}
      onChoose={(chosen) => void navigate({ search: { days: chosen } })}
    />
  )
}

const COLUMNS = ['date', 'served_bytes', 'encoded_minutes'] as const

/** Saves the days that are shown. The columns are named as in the API. */
function ExportUsage({ usage: { days, start, end } }: { usage: Usage }) {
  const { usage: texts } = useUsageWords()
  const save = (): void => {
    const rows = days.map((day) => COLUMNS.map((column) => day[column]))
    saveCsv(`usage-${start}-${end}.csv`, csvOf([COLUMNS, ...rows]))
  }
  return (
    <Button variant="default" leftSection={<IconDownload size={16} />} onClick={save}>
      {texts.export}
    </Button>
  )
}

export const usageRoute = createLazyRoute('/accounts/$account/usage-and-plan/usage')({
  component: UsagePage,
})
