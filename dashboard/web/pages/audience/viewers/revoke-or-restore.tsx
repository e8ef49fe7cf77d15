import { Button, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiOf, unwrap } from '../../../api/client.ts'
import { useMay } from '../../../api/me.ts'
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { notify } from '../../../parts/notify.ts'
import { useAudienceWords } from '../words.ts'

interface Props {
  account: string
  id: string
  isRevoked: boolean
}

/** Revokes a viewer after a question, or restores one. Readers see neither. */
export function RevokeOrRestore({ account, id, isRevoked }: Props) {
  const { viewer } = useAudienceWords()
  const [isAsking, setAsking] = useState(false)
  const restore = useChange(account, id, 'restore')
  if (!useMay(account, 'viewers:write')) return null
  if (isRevoked)
    return (
      <>
        {restore.error && <ErrorState error={restore.error} />}
        <Button variant="default" loading={restore.isPending} onClick={() => restore.mutate()}>
          {viewer.restore}
        </Button>
      </>
    )
  return (
    <>
      <Button variant="light" color="red" onClick={() => setAsking(true)}>
        {viewer.revoke}
      </Button>
      {isAsking && <Revoke account={account} id={id} onClose={() => setAsking(false)} />}
    </>
  )
}

function Revoke({ account, id, onClose }: Omit<Props, 'isRevoked'> & { onClose: () => void }) {
  const { viewer } = useAudienceWords()
  const revoke = useChange(account, id, 'revoke', onClose)
  return (
    <ConfirmDialog
      title={viewer.revokeTitle}
      submit={viewer.revoke}
      action={revoke}
      onClose={onClose}
    >
      <Text size="sm">
        <bdi>{id}</bdi>
      </Text>
      <Text size="sm">{viewer.revokeText}</Text>
    </ConfirmDialog>
  )
}

function useChange(account: string, id: string, change: 'revoke' | 'restore', after?: () => void) {
  const { viewer } = useAudienceWords()
  const client = useQueryClient()
  return useMutation({
    async mutationFn() {
      const body = { viewer_id: id }
      if (change === 'revoke') await unwrap(apiOf(account).POST('/viewers/revoke', { body }))
      else await unwrap(apiOf(account).POST('/viewers/restore', { body }))
    },
    async onSuccess() {
      notify(change === 'revoke' ? viewer.revoked : viewer.restored)
      const keys = [['viewers'], ['viewer'], ['counted-viewers']]
      await Promise.all(keys.map(([key]) => client.invalidateQueries({ queryKey: [key, account] })))
      after?.()
    },
  })
}
