import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useWords } from '../words/words.tsx'
import { useShellWords } from './words.ts'

/** Asks before a page with unsaved input is left. */
export function LeaveDialog({ onAnswer }: { onAnswer: (mayLeave: boolean) => void }) {
  const { parts } = useWords()
  const { leave: words } = useShellWords()
  return (
    <Modal
      opened
      onClose={() => onAnswer(false)}
      title={words.title}
      size="sm"
      zIndex={300}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <Stack>
        <Text size="sm">{words.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onAnswer(true)}>
            {words.leave}
          </Button>
          <Button onClick={() => onAnswer(false)} data-autofocus>
            {words.stay}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
