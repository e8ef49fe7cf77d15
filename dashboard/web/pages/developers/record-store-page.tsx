import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/me.ts'
import { recordStoreQuery, type RecordStore } from '../../api/record-store.ts'
import { IconPlus, IconServer } from '../../icons/icons.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { PageHeader } from '../../parts/page-header.tsx'
import { StoreActions } from './record-store/store-actions.tsx'
import { StoreFacts } from './record-store/store-facts.tsx'
import { StoreForm } from './record-store/store-form.tsx'
import { StoreNotice } from './record-store/store-notice.tsx'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers/record-store')

/** The learning record store of the account: how its deliveries are going, and what owners do with it. */
function RecordStorePage() {
  const { recordStore: words } = useDeveloperWords()
  const { account } = route.useParams()
  const mayWrite = useMay(account, 'secrets:write')
  const { data, error, refetch } = useQuery(recordStoreQuery(account))
  return (
    <>
      <PageHeader
        title={words.title}
        actions={data && mayWrite && <StoreActions account={account} store={data} />}
      />
      <p className={layout.intro}>{words.intro}</p>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data === null && <NoStore account={account} mayWrite={mayWrite} />}
      {data && <Details store={data} />}
      {data === undefined && !error && <Skeleton height={320} />}
    </>
  )
}

function NoStore({ account, mayWrite }: { account: string; mayWrite: boolean }) {
  const { recordStore: words } = useDeveloperWords()
  const [isAdding, setAdding] = useState(false)
  return (
    <EmptyState
      icon={IconServer}
      sample="rows"
      title={words.emptyTitle}
      text={mayWrite ? words.emptyText : words.ownersOnly}
    >
      {mayWrite && (
        <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
          {words.add}
        </Button>
      )}
      {isAdding && <StoreForm account={account} store={null} onClose={() => setAdding(false)} />}
    </EmptyState>
  )
}

function Details({ store }: { store: RecordStore }) {
  const { recordStore: words } = useDeveloperWords()
  return (
    <>
      <StoreNotice store={store} />
      <StoreFacts store={store} />
      <Text size="sm" c="dimmed" mt="md">
        {words.erased}
      </Text>
    </>
  )
}

export const recordStoreRoute = createLazyRoute('/accounts/$account/developers/record-store')({
  component: RecordStorePage,
})
