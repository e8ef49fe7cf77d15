import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { answerOf, apiOf } from '../../api/client.ts'
import { replayPreview } from '../../api/webhooks.ts'
import type { ReplayRange } from '../../api/webhooks.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { useFormats } from '../../parts/formats.ts'
import { useTimeZone } from '../../shell/time-zone.tsx'
import { fill } from '../../words/fill.ts'
import { useWords } from '../../words/words.tsx'
import classes from './developers.module.css'
import { ReplayFields } from './replay-fields.tsx'
import type { ReplayChoice } from './replay-fields.tsx'
import { rangeOf } from './replay-period.ts'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers/replays/start')

/** The dialog that starts a replay: it counts what would be sent, and sends that after a second click. */
function StartReplay() {
  const { parts } = useWords()
  const { replays: words } = useDeveloperWords()
  const { account } = route.useParams()
  const { endpoint, kind = 'failed' } = route.useSearch()
  const navigate = route.useNavigate()
  const [choice, setChoice] = useState<ReplayChoice>({
    period: 'day',
    since: '',
    until: '',
    endpoint,
    kind,
  })
  const { zone } = useTimeZone()
  const [isWrongOrder, setWrongOrder] = useState(false)
  const count = useCount(account)
  const close = (): void =>
    void navigate({ to: '/accounts/$account/developers/replays', params: { account } })
  const send = useSend(account, close)
  const change = (changes: Partial<ReplayChoice>): void => {
    setChoice((now) => Object.assign({}, now, changes))
    // What was counted is no longer what would be sent.
    count.reset()
    send.reset()
    setWrongOrder(false)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (count.data) return send.mutate(count.data)
    const range = rangeOf(choice, { zone, nowMs: Date.now() })
    setWrongOrder(range === null)
    if (range) count.mutate({ ...range, endpoint_id: choice.endpoint, status: choice.kind })
  }
  const error = count.error ?? send.error
  return (
    <Dialog
      opened
      onClose={close}
      title={words.createTitle}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <form onSubmit={submit}>
        <Stack>
          <ReplayFields {...{ account, choice, isWrongOrder }} onChange={change} />
          {error && <ErrorState error={error} />}
          {count.data && <Counted counted={count.data} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {parts.cancel}
            </Button>
            <SubmitButton counted={count.data} isPending={count.isPending || send.isPending} />
          </Group>
        </Stack>
      </form>
    </Dialog>
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
      return answerOf(apiOf(account).POST('/v1/webhook-replays', { body }))
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
          : fill(text, { number: number(deliveries) })}
      </Text>
      <Text size="sm" c="dimmed">
        {fill(words.countedHint, { number: number(events) })}
      </Text>
    </output>
  )
}

interface SubmitProps {
  counted: Counted | undefined
  isPending: boolean
}

function SubmitButton({ counted, isPending }: SubmitProps) {
  const { replays: words } = useDeveloperWords()
  const { number } = useFormats()
  return (
    <Button
      type="submit"
      loading={isPending}
      disabled={counted?.delivery_count === 0 && counted.is_complete}
    >
      {counted === undefined
        ? words.count
        : counted.is_complete
          ? fill(words.submit, { number: number(counted.delivery_count) })
          : words.submitAll}
    </Button>
  )
}

export const startReplayRoute = createLazyRoute('/accounts/$account/developers/replays/start')({
  component: StartReplay,
})
