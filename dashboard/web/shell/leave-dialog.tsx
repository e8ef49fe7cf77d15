import { Button, Group, Stack, Text } from '@mantine/core'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import type { Loss } from '../parts/forms/unsaved-changes.ts'
import { useShellWords } from './words.ts'

interface Props {
  loss: Loss
  onResponse: (mayLeave: boolean) => void
}

/** Asks before a page is left that would lose something. */
export function LeaveDialog({ loss, onResponse }: Props) {
  const { leave: words } = useShellWords()
  return (
    <Dialog
      opened
      onClose={() => onResponse(false)}
      title={loss === 'secret' ? words.secretTitle : words.title}
      size="sm"
      zIndex={300}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">{loss === 'secret' ? words.secretText : words.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onResponse(true)}>
            {words.leave}
          </Button>
          <Button onClick={() => onResponse(false)} data-autofocus>
            {words.stay}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
