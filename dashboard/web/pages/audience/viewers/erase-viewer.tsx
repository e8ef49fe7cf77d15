import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { apiOf, unwrap } from '../../../api/client.ts'
import { useMay } from '../../../api/me.ts'
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx'
import { notify } from '../../../parts/notify.ts'
import { useAudienceWords } from '../words.ts'

interface Props {
  account: string
  id: string
}

/** Erases all that is kept of a viewer, after a question. Only owners see it. */
export function EraseViewer({ account, id }: Props) {
  const { viewer } = useAudienceWords()
  const [isAsking, setAsking] = useState(false)
  if (!useMay(account, 'viewers:erase')) return null
  return (
    <>
      <Button variant="light" color="red" onClick={() => setAsking(true)}>
        {viewer.erase}
      </Button>
      {isAsking && <Erase account={account} id={id} onClose={() => setAsking(false)} />}
    </>
  )
}

function Erase({ account, id, onClose }: Props & { onClose: () => void }) {
  const { viewer } = useAudienceWords()
  const erase = useMutation({
    mutationFn: () => unwrap(apiOf(account).POST('/v1/viewers/erase', { body: { viewer_id: id } })),
    onSuccess() {
      notify(viewer.erasing)
      onClose()
    },
  })
  return (
    <ConfirmDialog title={viewer.eraseTitle} submit={viewer.erase} action={erase} onClose={onClose}>
      <Text size="sm">
        <bdi>{id}</bdi>
      </Text>
      <Text size="sm">{viewer.eraseText}</Text>
    </ConfirmDialog>
  )
}
