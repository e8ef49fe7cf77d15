import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { answerOf, apiOf } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { useLoss } from '../../parts/unsaved-changes.ts'
import { useWords } from '../../words/words.tsx'
import { EndpointSecret } from './endpoint-secret.tsx'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers/webhooks/$endpoint/rotate')

/** How long the old secret also signs, in seconds. */
const OVERLAPS = { now: 0, hour: 3_600, hours: 21_600, day: 86_400 } as const

const CHOICES = ['now', 'hour', 'hours', 'day'] as const

/** The dialog that replaces the signing secret of an endpoint, and then shows the new one, this once. */
function RotateSecret() {
  const { parts } = useWords()
  const { rotation } = useDeveloperWords()
  const { account, endpoint } = route.useParams()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const [overlap, setOverlap] = useState<keyof typeof OVERLAPS>('now')
  const rotate = useMutation({
    mutationFn: () => {
      const params = { path: { id: Number(endpoint) } }
      const body = { overlap_seconds: OVERLAPS[overlap] }
      const call = apiOf(account).POST('/v1/webhook-endpoints/{id}/rotate-secret', { params, body })
      return answerOf(call)
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['endpoints', account] }),
    // The secret stays in no cache.
    gcTime: 0,
  })
  useLoss(rotate.isPending, 'secret')
  const close = (): void =>
    void navigate({
      to: '/accounts/$account/developers/webhooks/$endpoint',
      params: { account, endpoint },
    })
  if (rotate.data)
    return <EndpointSecret account={account} endpoint={rotate.data} onSaved={close} />
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    rotate.mutate()
  }
  return (
    <Dialog
      opened
      onClose={close}
      title={rotation.title}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{rotation.text}</Text>
          {rotate.error && <ErrorState error={rotate.error} />}
          <NativeSelect
            label={rotation.overlap}
            description={rotation.overlapHint}
            value={overlap}
            onChange={({ currentTarget }) =>
              setOverlap(CHOICES.find((choice) => choice === currentTarget.value) ?? 'now')
            }
            data={CHOICES.map((value) => ({ value, label: rotation[value] }))}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {parts.cancel}
            </Button>
            <Button type="submit" loading={rotate.isPending}>
              {rotation.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

export const rotateSecretRoute = createLazyRoute(
  '/accounts/$account/developers/webhooks/$endpoint/rotate',
)({ component: RotateSecret })
