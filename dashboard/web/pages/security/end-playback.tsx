import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { apiOf, unwrap } from '../../api/client.ts'
import type { PlayingSession } from '../../api/security.ts'
import { useWords } from '../../locales/words.tsx'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { notify } from '../../parts/notify.ts'
import classes from './security.module.css'
import { useSecurityWords } from './words.ts'

const route = getRouteApi('/accounts/$account/security/playing')

interface Props {
  account: string
  session: PlayingSession
}

/** Asks before a session is ended. It is open while its id is in the address. */
export function EndPlayback({ account, session }: Props) {
  const { parts } = useWords()
  const { playing } = useSecurityWords()
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const close = (): void => void navigate({ search: (now) => ({ ...now, end: undefined }) })
  const end = useMutation({
    mutationFn: () => {
      const params = { path: { id: session.id } }
      return unwrap(apiOf(account).POST('/playing/{id}/end', { params }))
    },
    async onSuccess() {
      notify(playing.ended)
      await client.invalidateQueries({ queryKey: ['playing', account] })
      close()
    },
  })
  return (
    <Dialog opened onClose={close} title={playing.endTitle}>
      <Stack>
        <p className={classes.subject}>
          <bdi>{session.video_title.trim() || session.video_id}</bdi>
          {session.viewer_id !== null && <bdi>{session.viewer_id}</bdi>}
        </p>
        <Text size="sm">{playing.endText}</Text>
        {end.error && <ErrorState error={end.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {parts.cancel}
          </Button>
          <Button color="red" loading={end.isPending} onClick={() => end.mutate()} data-autofocus>
            {playing.endSubmit}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
