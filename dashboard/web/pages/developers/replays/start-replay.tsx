import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { apiOf, unwrap } from '../../../api/client.ts'
import { replayPreview, type ReplayRange } from '../../../api/webhooks.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { useTimeZone } from '../../../shell/time-zone.tsx'
import classes from '../developers.module.css'
import { useDeveloperWords } from '../words.ts'
import { ReplayFields, type ReplayChoice } from './replay-fields.tsx'
import { rangeOf } from './replay-period.ts'

const route = getRouteApi('/accounts/$account/developers/replays/start')

/** The dialog that starts a replay: it counts what would be sent, and sends that after a second click. */
function StartReplay() {
  const { replays: words } = useDeveloperWords()
  const { account } = route.useParams()
  const { endpoint, kind = 'failed' } = route.useSearch()
  const navigate = route.useNavigate()
  const { zone } = useTimeZone()
  const count = useCount(account)
  const close = (): void =>
    void navigate({ to: '/accounts/$account/developers/replays', params: { account } })
  const send = useSend(account, close)
  const rangeNow = (choice: ReplayChoice) => rangeOf(choice, { zone, nowMs: Date.now() })
  const form = useForm<ReplayChoice>({
    initialValues: { period: 'day', since: '', until: '', endpoint, kind },
    validate: (choice): { since?: string } =>
      rangeNow(choice) === null ? { since: words.wrongOrder } : {},
    onValuesChange() {
      // What was counted is no longer what would be sent.
      count.reset()
      send.reset()
      form.clearErrors()
    },
  })
  const mutate = (choice: ReplayChoice): void => {
    if (count.data) return send.mutate(count.data)
    const range = rangeNow(choice)
    if (range) count.mutate({ ...range, endpoint_id: choice.endpoint, status: choice.kind })
  }
  const error = count.error ?? send.error
  return (
    <FormDialog
      title={words.createTitle}
      form={form}
      // A problem is shown below the inputs: its field can be one that is not shown.
      save={{ mutate, isPending: count.isPending || send.isPending, error: null }}
      submit={useSubmitText(count.data)}
      isReady={!(count.data?.delivery_count === 0 && count.data.is_complete)}
      onClose={close}
    >
      {(field) => (
        <>
          <ReplayFields account={account} form={form} field={field} />
          {error && <ErrorState error={error} />}
          {count.data && <Counted counted={count.data} />}
        </>
      )}
    </FormDialog>
  )
}

type Counted = Awaited<ReturnType<typeof replayPreview>>

const useCount = (account: string) =>
  useMutation({ mutationFn: (range: ReplayRange) => replayPreview(account, range) })

/** Starts a replay of exactly the range that was counted. */
function useSend(account: string, onSent: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ since, until, endpoint_id: endpointId, status }: Counted) => {
      const body = { since, until, endpoint_id: endpointId ?? undefined, status }
      return unwrap(apiOf(account).POST('/v1/webhook-replays', { body }))
    },
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['replays', account] })
      onSent()
    },
  })
}

function Counted({ counted }: { counted: Counted }) {
  const { replays: words } = useDeveloperWords()
  const { number } = useFormats()
  const { delivery_count: deliveries, event_count: events, is_complete: isComplete } = counted
  const text = isComplete ? words.counted : words.countedAtLeast
  return (
    <output className={classes.counted}>
      <Text fw={600}>
        {deliveries === 0 && isComplete
          ? words.nothing
          : interpolate(text, { number: number(deliveries) })}
      </Text>
      <Text size="sm" c="dimmed">
        {interpolate(words.countedHint, { number: number(events) })}
      </Text>
    </output>
  )
}

function useSubmitText(counted: Counted | undefined): string {
  const { replays: words } = useDeveloperWords()
  const { number } = useFormats()
  if (counted === undefined) return words.count
  const { delivery_count: deliveries, is_complete: isComplete } = counted
  return isComplete ? interpolate(words.submit, { number: number(deliveries) }) : words.submitAll
}

export const startReplayRoute = createLazyRoute('/accounts/$account/developers/replays/start')({
  component: StartReplay,
})
