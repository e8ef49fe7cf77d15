import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../locales/words.tsx'
import { useLoss } from '../forms/unsaved-changes.ts'
import { CodeSnippet } from '../text/code-snippet.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  text: string
  secret: string
  /** Says that another secret has replaced this one, which is hidden then; absent while it is the current one. */
  replaced?: ReactNode
  /** Below the secret, such as how to use it. */
  children?: ReactNode
  /** Goes on, after the secret was saved. */
  onSaved: () => void
}

const NOTHING = (): void => {}

/**
 * Shows a secret that cannot be read again. It closes by its button only: Escape and a click beside it do
 * nothing, and Back, a reload or closing the tab ask first. A component that requests the secret calls `useLoss` while it waits.
 */
export function SecretOnce({ title, text, secret, replaced, children, onSaved }: Props) {
  const { parts } = useWords()
  const isCurrent = replaced === undefined
  const mayLeave = useLoss(isCurrent, 'secret')
  const finish = (): void => {
    mayLeave()
    onSaved()
  }
  return (
    <Dialog
      opened
      onClose={NOTHING}
      title={title}
      size="lg"
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <Stack>
        {replaced}
        {isCurrent && (
          <>
            <Text size="sm">{text}</Text>
            <CodeSnippet code={secret} label={title} />
            {children}
          </>
        )}
        <Group justify="flex-end">
          <Button onClick={finish}>{isCurrent ? parts.secretSaved : parts.close}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
