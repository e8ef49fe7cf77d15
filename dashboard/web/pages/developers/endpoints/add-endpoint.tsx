import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { apiOf, unwrap } from '../../../api/client.ts'
import { useLoss } from '../../../parts/forms/unsaved-changes.ts'
import { useDeveloperWords } from '../words.ts'
import { EndpointForm, type EndpointFacts } from './endpoint-form.tsx'
import { EndpointSecret } from './endpoint-secret.tsx'

const route = getRouteApi('/accounts/$account/developers/webhooks/add')

const EMPTY: EndpointFacts = { url: '', description: '', events: ['video.ready', 'video.failed'] }

/** The dialog that adds an endpoint, and then shows its signing secret, this once. */
function AddEndpoint() {
  const { endpointForm: words } = useDeveloperWords()
  const { account } = route.useParams()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const form = useForm({ initialValues: EMPTY })
  const add = useMutation({
    mutationFn: ({ url, description, events }: EndpointFacts) => {
      const body = { url: url.trim(), description, events }
      return unwrap(apiOf(account).POST('/v1/webhook-endpoints', { body }))
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['endpoints', account] }),
    // The secret stays in no cache.
    gcTime: 0,
  })
  useLoss(add.isPending, 'secret')
  if (add.data) {
    const { id } = add.data
    const openEndpoint = (): void =>
      void navigate({
        to: '/accounts/$account/developers/webhooks/$endpoint',
        params: { account, endpoint: String(id) },
        replace: true,
      })
    return <EndpointSecret account={account} endpoint={add.data} onSaved={openEndpoint} />
  }
  return (
    <EndpointForm
      account={account}
      title={words.addTitle}
      submit={words.add}
      form={form}
      save={add}
      onClose={() =>
        void navigate({ to: '/accounts/$account/developers/webhooks', params: { account } })
      }
    />
  )
}

export const addEndpointRoute = createLazyRoute('/accounts/$account/developers/webhooks/add')({
  component: AddEndpoint,
})
