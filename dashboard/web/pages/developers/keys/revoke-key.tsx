import { Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { apiOf, unwrap } from '../../../api/client.ts'
import type { ApiKey } from '../../../api/keys.ts'
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx'
import { useDeveloperWords } from '../words.ts'

interface Props {
  account: string
  apiKey: ApiKey
  onClose: () => void
}

/** Asks before a key is revoked; its name is typed. */
export function RevokeKey({ account, apiKey: { id, name }, onClose }: Props) {
  const { keys } = useDeveloperWords()
  const client = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => unwrap(apiOf(account).DELETE('/keys/{id}', { params: { path: { id } } })),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['keys', account] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={keys.revokeTitle}
      expected={name.trim()}
      submit={keys.revokeSubmit}
      action={revoke}
      onClose={onClose}
    >
      <Text size="sm">{keys.revokeText}</Text>
    </ConfirmDialog>
  )
}
