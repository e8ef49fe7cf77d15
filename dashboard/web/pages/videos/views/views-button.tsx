import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import { IconBookmark } from '../../../icons/icons.tsx'
import { useVideosWords } from '../words.ts'

/** The button of the saved views. */
export function ViewsButton(props: ButtonProps & ComponentPropsWithRef<'button'>) {
  const { views } = useVideosWords()
  return (
    <Button variant="default" leftSection={<IconBookmark size={16} />} {...props}>
      {views.button}
    </Button>
  )
}
