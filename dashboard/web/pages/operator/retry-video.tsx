import { Button, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isolateIn } from '../../../../domain/isolate-text.ts'
import { retryVideo } from '../../api/operator.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx'
import layout from '../../parts/layout.module.css'
import { TextLink } from '../../parts/links/links.tsx'
import { useOperatorWords } from './words.ts'

interface Props {
  account: string
  id: string
  title: string
}

/** Makes a new video from a failed one, after a question, and leads to it. */
export function RetryVideo({ account, id, title }: Props) {
  const words = useOperatorWords()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const retry = useMutation({
    mutationFn: () => retryVideo(account, id),
    onSuccess: () => {
      setOpen(false)
      void client.invalidateQueries({ queryKey: ['operator', account] })
    },
  })
  const close = (): void => {
    setOpen(false)
    retry.reset()
  }
  const { data } = retry
  if (data)
    return (
      <output className={layout.under}>
        {interpolate(words.retried, { id: data.id })}
        <TextLink
          to="/accounts/$account/operator"
          params={{ account }}
          search={{ video: data.id }}
          size="xs"
        >
          {words.openNew}
        </TextLink>
      </output>
    )
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${words.retry}: ${isolateIn(words.retry, title)}`}
        onClick={() => setOpen(true)}
      >
        {words.retry}
      </Button>
      {isOpen && (
        <ConfirmDialog title={words.retryTitle} submit={words.retry} action={retry} onClose={close}>
          <Text size="sm">{words.retryText}</Text>
        </ConfirmDialog>
      )}
    </>
  )
}
