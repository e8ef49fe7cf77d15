import { Button, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { removeRecordStore, testRecordStore, type RecordStore } from '../../../api/record-store.ts'
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { useDeveloperWords } from '../words.ts'
import { StoreForm } from './store-form.tsx'
import { StoreTest } from './store-test.tsx'

interface Props {
  account: string
  store: RecordStore
}

/** What owners do with the record store. */
export function StoreActions({ account, store }: Props) {
  const { endpoints } = useDeveloperWords()
  const [opened, setOpened] = useState<'edit' | 'remove' | null>(null)
  const client = useQueryClient()
  const close = (): void => setOpened(null)
  const test = useMutation({
    mutationFn: () => testRecordStore(account),
    onSuccess: () => client.invalidateQueries({ queryKey: ['record-store', account] }),
  })
  return (
    <>
      <Button loading={test.isPending} onClick={() => test.mutate()}>
        {endpoints.test}
      </Button>
      <Button variant="default" onClick={() => setOpened('edit')}>
        {endpoints.edit}
      </Button>
      <Button variant="default" c="var(--mantine-color-error)" onClick={() => setOpened('remove')}>
        {endpoints.remove}
      </Button>
      {test.error && <ErrorState error={test.error} />}
      {test.data && <StoreTest result={test.data} onClose={() => test.reset()} />}
      {opened === 'edit' && <StoreForm account={account} store={store} onClose={close} />}
      {opened === 'remove' && <RemoveStore account={account} store={store} onClose={close} />}
    </>
  )
}

function RemoveStore({ account, store, onClose }: Props & { onClose: () => void }) {
  const { recordStore: words } = useDeveloperWords()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => removeRecordStore(account),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['record-store', account] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={words.removeTitle}
      expected={new URL(store.url).host}
      submit={words.removeSubmit}
      action={remove}
      onClose={onClose}
    >
      <Text size="sm">{words.removeText}</Text>
    </ConfirmDialog>
  )
}
