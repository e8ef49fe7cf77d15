import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { CodeSnippet } from '../../parts/code-snippet.tsx'
import { useDeveloperWords } from './words.ts'

interface Props {
  title: string
  text: string
  secret: string
  /** Below the secret, such as how to use it. */
  children?: ReactNode
  /** Goes on, after the secret was saved. */
  onSaved: () => void
}

const NOTHING = (): void => {}

/**
 * Shows a secret that cannot be read again. It closes by its button only: Escape and a click beside it do
 * nothing, and Back, a reload or closing the tab ask first.
 */
export function SecretOnce({ title, text, secret, children, onSaved }: Props) {
  const { secret: words } = useDeveloperWords()
  const isSaved = useRef(false)
  const leaving = useBlocker({
    shouldBlockFn: () => !isSaved.current,
    enableBeforeUnload: () => !isSaved.current,
    withResolver: true,
  })
  const finish = (): void => {
    isSaved.current = true
    onSaved()
  }
  return (
    <Modal
      opened
      onClose={NOTHING}
      title={title}
      size="lg"
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <Stack>
        <Text size="sm">{text}</Text>
        <CodeSnippet code={secret} label={title} />
        {children}
        {leaving.status === 'blocked' && (
          <Alert color="red" title={words.leave}>
            <Group gap="xs">
              <Button size="compact-sm" variant="default" onClick={leaving.reset}>
                {words.stay}
              </Button>
              <Button size="compact-sm" color="red" onClick={leaving.proceed}>
                {words.leaveAnyway}
              </Button>
            </Group>
          </Alert>
        )}
        <Group justify="flex-end">
          <Button onClick={finish}>{words.saved}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
