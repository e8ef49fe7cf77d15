import { Button, Group, Stack, Text } from '@mantine/core'
import { interpolate } from '../../locales/interpolate.ts'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import type { UploadItem } from '../queue/upload-item.ts'
import { useUploadsWords } from '../words.ts'

interface Props {
  item: UploadItem
  onCancel: () => void
  onClose: () => void
}

/** Asks before an upload is cancelled of which much is sent. */
export function CancelDialog({ item: { name, sentBytes }, onCancel, onClose }: Props) {
  const { cancel: words } = useUploadsWords()
  const { bytes } = useFormats()
  return (
    <Dialog opened onClose={onClose} title={words.title} size="sm">
      <Stack>
        <Text size="sm">{interpolate(words.text, { name, size: bytes(sentBytes) })}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {words.keep}
          </Button>
          <Button color="red" onClick={onCancel}>
            {words.submit}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
