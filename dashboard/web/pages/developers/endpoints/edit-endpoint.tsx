import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { isSame } from '../../../../../domain/accounts/audit.ts'
import { isSubscribable } from '../../../../../domain/webhooks/events.ts'
import { apiOf } from '../../../api/client.ts'
import { outcomeOf } from '../../../api/stale.ts'
import { endpointQuery, type Endpoint } from '../../../api/webhooks.ts'
import { useWords } from '../../../locales/words.tsx'
import { FieldsConflict } from '../../../parts/forms/conflict-notice.tsx'
import {
  isUndecided,
  useTwoEdits,
  type EditConflict,
  type TwoEdits,
} from '../../../parts/forms/two-edits.ts'
import { useDeveloperWords } from '../words.ts'
import { EndpointForm, type EndpointFacts } from './endpoint-form.tsx'

const route = getRouteApi('/accounts/$account/developers/webhooks/$endpoint/edit')

/** The dialog that changes the address, the description and the events of an endpoint. */
function EditEndpoint() {
  const { account, endpoint } = route.useParams()
  const { data } = useQuery(endpointQuery(account, Number(endpoint)))
  // The page behind the dialog shows why there is none.
  return data && <EditForm key={data.id} latest={data} />
}

function EditForm({ latest }: { latest: Endpoint }) {
  const { id } = latest
  const { endpointForm: words } = useDeveloperWords()
  const { account, endpoint } = route.useParams()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  // Not the latest: a field that another member has changed since is not an edit of this form.
  const editing = useTwoEdits(factsOf(latest))
  const { opened, form, conflict } = editing
  const close = (): void =>
    void navigate({
      to: '/accounts/$account/developers/webhooks/$endpoint',
      params: { account, endpoint },
    })
  const save = useMutation({
    mutationFn: (edited: EndpointFacts) => {
      const params = { path: { id } }
      const body = { ...changeOf(opened, edited), from: opened }
      return outcomeOf(apiOf(account).PATCH('/webhook-endpoints/{id}', { params, body }))
    },
    async onSuccess({ kind, current }, edited) {
      // Without a difference, this save was made before, and its response was lost.
      if (kind === 'stale' && !isSame(edited, factsOf(current)))
        return editing.meet(factsOf(current))
      await client.invalidateQueries({ queryKey: ['endpoints', account] })
      close()
    },
  })
  return (
    <EndpointForm
      account={account}
      title={words.editTitle}
      submit={words.save}
      form={form}
      save={save}
      conflict={conflict && <EndpointConflict conflict={conflict} decide={editing.decide} />}
      isUndecided={isUndecided(conflict)}
      onClose={close}
    />
  )
}

const factsOf = ({ url, description, events }: Endpoint): EndpointFacts => ({
  url,
  description,
  events: events.filter(isSubscribable),
})

function EndpointConflict({
  conflict,
  decide,
}: Pick<TwoEdits<EndpointFacts>, 'decide'> & { conflict: EditConflict<EndpointFacts> }) {
  const { conflict: words } = useWords()
  const { endpointForm: labels } = useDeveloperWords()
  const valueOf = (name: keyof EndpointFacts, facts: EndpointFacts) =>
    name === 'events' ? (
      <code dir="ltr">{facts.events.join(', ')}</code>
    ) : (
      <bdi>{facts[name] === '' ? words.empty : facts[name]}</bdi>
    )
  return <FieldsConflict {...{ conflict, decide, labels, valueOf }} />
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
