import { NativeSelect, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { apiOf, unwrap } from '../../../api/client.ts'
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx'
import { useLoss } from '../../../parts/forms/unsaved-changes.ts'
import { useDeveloperWords } from '../words.ts'
import { EndpointSecret } from './endpoint-secret.tsx'

const route = getRouteApi('/accounts/$account/developers/webhooks/$endpoint/rotate')

/** How long the old secret also signs, in seconds. */
const OVERLAPS = { now: 0, hour: 3_600, hours: 21_600, day: 86_400 } as const

const CHOICES = ['now', 'hour', 'hours', 'day'] as const

/** The dialog that replaces the signing secret of an endpoint, and then shows the new one, this once. */
function RotateSecret() {
  const { rotation } = useDeveloperWords()
  const { account, endpoint } = route.useParams()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const form = useForm<{ overlap: keyof typeof OVERLAPS }>({ initialValues: { overlap: 'now' } })
  const rotate = useMutation({
    mutationFn: ({ overlap }: typeof form.values) => {
      const params = { path: { id: Number(endpoint) } }
      const body = { overlap_seconds: OVERLAPS[overlap] }
      const call = apiOf(account).POST('/v1/webhook-endpoints/{id}/rotate-secret', { params, body })
      return unwrap(call)
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
  return (
    <FormDialog
      title={rotation.title}
      text={<Text size="sm">{rotation.text}</Text>}
      form={form}
      save={rotate}
      submit={rotation.submit}
      onClose={close}
    >
      {(field) => (
        <NativeSelect
          {...field('overlap')}
          label={rotation.overlap}
          description={rotation.overlapHint}
          data={CHOICES.map((value) => ({ value, label: rotation[value] }))}
          data-autofocus
        />
      )}
    </FormDialog>
  )
}

export const rotateSecretRoute = createLazyRoute(
  '/accounts/$account/developers/webhooks/$endpoint/rotate',
)({ component: RotateSecret })
