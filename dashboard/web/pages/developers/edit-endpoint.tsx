import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { isSame } from '../../../../domain/audit.ts'
import { isSubscribable } from '../../../../domain/events.ts'
import { answerOf, apiOf } from '../../api/client.ts'
import { endpointQuery } from '../../api/webhooks.ts'
import type { Endpoint } from '../../api/webhooks.ts'
import { EndpointForm } from './endpoint-form.tsx'
import type { EndpointFacts } from './endpoint-form.tsx'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers/webhooks/$endpoint/edit')

/** The dialog that changes the address, the description and the events of an endpoint. */
function EditEndpoint() {
  const { account, endpoint } = route.useParams()
  const { data } = useQuery(endpointQuery(account, Number(endpoint)))
  // The page behind the dialog shows why there is none.
  return data && <EditForm key={data.id} latest={data} />
}

function EditForm({ latest: { id, url, description, events } }: { latest: Endpoint }) {
  const { endpointForm: words } = useDeveloperWords()
  const { account, endpoint } = route.useParams()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const [opened] = useState({ url, description, events: events.filter(isSubscribable) })
  const close = (): void =>
    void navigate({
      to: '/accounts/$account/developers/webhooks/$endpoint',
      params: { account, endpoint },
    })
  const save = useMutation({
    mutationFn: (edited: EndpointFacts) => {
      const params = { path: { id } }
      const body = changeOf(opened, edited)
      return answerOf(apiOf(account).PATCH('/v1/webhook-endpoints/{id}', { params, body }))
    },
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['endpoints', account] })
      close()
    },
  })
  return (
    <EndpointForm
      account={account}
      title={words.editTitle}
      submit={words.save}
      initial={opened}
      save={save}
      onClose={close}
    />
  )
}

/** Only what was changed is sent, so that the change of another member to another field stays. */
const changeOf = (before: EndpointFacts, { url, description, events }: EndpointFacts) => ({
  url: url.trim() === before.url ? undefined : url.trim(),
  description: description === before.description ? undefined : description,
  events: isSame(events, before.events) ? undefined : events,
})

export const editEndpointRoute = createLazyRoute(
  '/accounts/$account/developers/webhooks/$endpoint/edit',
)({ component: EditEndpoint })
