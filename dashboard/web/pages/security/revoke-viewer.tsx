import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { VIEWER_ID_MAX_LENGTH } from '../../../../domain/limits.ts'
import { answerOf, apiOf } from '../../api/client.ts'
import { problemOf } from '../../api/problem.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { notify } from '../../parts/notify.ts'
import { useWords } from '../../words/words.tsx'
import { useSecurityWords } from './words.ts'

const route = getRouteApi('/accounts/$account/security/viewers/revoke')

/** The dialog that revokes a viewer. The address may name the viewer, as the list of playing sessions does. */
function RevokeViewer() {
  const { parts } = useWords()
  const { viewers } = useSecurityWords()
  const { account } = route.useParams()
  const { viewer = '' } = route.useSearch()
  const [id, setId] = useState(viewer)
  const client = useQueryClient()
  const navigate = useNavigate()
  const close = () => navigate({ to: '/accounts/$account/security/viewers', params: { account } })
  const revoke = useMutation({
    mutationFn: () => answerOf(apiOf(account).POST('/viewers/revoke', { body: { viewer_id: id } })),
    async onSuccess() {
      notify(viewers.revoked)
      await client.invalidateQueries({ queryKey: ['viewers', account] })
      await close()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    revoke.mutate()
  }
  const problem = revoke.error && problemOf(revoke.error)
  const isAboutId = problem?.field === 'viewer_id'
  return (
    <Dialog
      opened
      onClose={() => void close()}
      title={viewers.revoke}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <form onSubmit={submit}>
        <Stack>
          {problem && !isAboutId && <ErrorState error={problem} />}
          <TextInput
            label={viewers.id}
            description={viewers.idHint}
            value={id}
            onChange={({ currentTarget }) => setId(currentTarget.value)}
            error={isAboutId && problem.message}
            maxLength={VIEWER_ID_MAX_LENGTH}
            autoComplete="off"
            dir="auto"
            required
            data-autofocus
          />
          <Text size="sm">{viewers.revokeText}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => void close()}>
              {parts.cancel}
            </Button>
            <Button type="submit" color="red" loading={revoke.isPending}>
              {viewers.revokeSubmit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

export const revokeRoute = createLazyRoute('/accounts/$account/security/viewers/revoke')({
  component: RevokeViewer,
})
