import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { EVENT_TYPES } from '../../../../../domain/webhooks/events.ts'
import { DELIVERY_STATUSES, type DeliveriesFilter } from '../../../api/deliveries.ts'
import { endpointsQuery } from '../../../api/webhooks.ts'
import { IconX } from '../../../icons/icons.tsx'
import { interpolate } from '../../../locales/interpolate.ts'
import { Choice } from '../../../parts/forms/choice.tsx'
import layout from '../../../parts/layout.module.css'
import { FilterTab, FilterTabs } from '../../../parts/lists/filter-tabs.tsx'
import { useDeveloperWords } from '../words.ts'

const route = getRouteApi('/accounts/$account/developers/deliveries')

/** Status, endpoint, event and replay. All of them are in the address; a changed filter begins at the first page. */
export function DeliveryFilters() {
  const { deliveries: words } = useDeveloperWords()
  const { account } = route.useParams()
  const { endpoint, event, replay } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: endpoints = [] } = useQuery(endpointsQuery(account))
  const choose = (changes: DeliveriesFilter): void =>
    void navigate({
      search: (now) => Object.assign({}, now, { after: undefined, before: undefined }, changes),
    })
  return (
    <div className={layout.filters}>
      <StatusTabs account={account} />
      <Choice
        aria-label={words.endpoint}
        value={endpoint}
        any={words.anyEndpoint}
        options={endpoints.map(({ id, url }) => [id, url])}
        onChoose={(chosen) => choose({ endpoint: chosen })}
        maw="18rem"
      />
      <Choice
        aria-label={words.event}
        value={event}
        any={words.anyEvent}
        options={EVENT_TYPES.map((type) => [type, type])}
        onChoose={(chosen) => choose({ event: chosen })}
      />
      {replay !== undefined && (
        <Button
          variant="light"
          size="compact-sm"
          rightSection={<IconX size={14} />}
          onClick={() => choose({ replay: undefined })}
        >
          {interpolate(words.ofReplay, { number: replay })}
        </Button>
      )}
    </div>
  )
}

function StatusTabs({ account }: { account: string }) {
  const { deliveries: words } = useDeveloperWords()
  const { status: chosen } = route.useSearch()
  return (
    <FilterTabs label={words.status}>
      {[undefined, ...DELIVERY_STATUSES].map((status) => (
        <FilterTab
          key={status ?? 'all'}
          to="/accounts/$account/developers/deliveries"
          params={{ account }}
          search={(now) => ({ ...now, status, after: undefined, before: undefined })}
          activeOptions={{ exact: true }}
          isChosen={status === chosen}
        >
          {status === undefined ? words.all : words[status]}
        </FilterTab>
      ))}
    </FilterTabs>
  )
}
