import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { isSubscribable } from '../../../../domain/events.ts'
import { answerOf, apiOf } from '../../api/client.ts'
import { endpointQuery } from '../../api/webhooks.ts'
import { EndpointForm } from './endpoint-form.tsx'
import type { EndpointFacts } from './endpoint-form.tsx'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers/webhooks/$endpoint/edit')

/** The dialog that changes the address, the description and the events of an endpoint. */
function EditEndpoint() {
  const { endpointForm: words } = useDeveloperWords()
  const { account, endpoint } = route.useParams()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const id = Number(endpoint)
  const { data } = useQuery(endpointQuery(account, id))
  const close = (): void =>
    void navigate({
      to: '/accounts/$account/developers/webhooks/$endpoint',
      params: { account, endpoint },
    })
  const save = useMutation({
    mutationFn: ({ url, description, events }: EndpointFacts) => {
      const params = { path: { id } }
      const body = { url: url.trim(), description, events }
      return answerOf(apiOf(account).PATCH('/v1/webhook-endpoints/{id}', { params, body }))
    },
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['endpoints', account] })
      close()
    },
  })
  if (!data) return null
  const { url, description, events } = data
  return (
    <EndpointForm
      account={account}
      title={words.editTitle}
      submit={words.save}
      initial={{ url, description, events: events.filter(isSubscribable) }}
      save={save}
      onClose={close}
    />
  )
}

export const editEndpointRoute = createLazyRoute(
  '/accounts/$account/developers/webhooks/$endpoint/edit',
)({ component: EditEndpoint })
