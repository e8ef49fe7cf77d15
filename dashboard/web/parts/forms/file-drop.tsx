import { Button, Text } from '@mantine/core'
import { useId, useRef, useState, type DragEvent, type ReactNode } from 'react'
import { IconUpload } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import classes from '../parts.module.css'
import { useFormats } from '../text/formats.ts'

interface Props {
  /** The button that picks a file. */
  label: string
  /** What can be dropped; or the name of the file that was. */
  hint: ReactNode
  /** With a blank for the size. */
  tooLarge: string
  maxBytes: number
  /** The types that the dialog of the system offers. */
  accept: string
  onFile: (file: File) => void
}

/** Takes a file by drag and drop, by click and by keyboard. */
export function FileDrop({ label, hint, tooLarge, maxBytes, accept, onFile }: Props) {
  const { bytes } = useFormats()
  const input = useRef<HTMLInputElement>(null)
  const hintId = useId()
  const [isOver, setOver] = useState(false)
  const [isTooLarge, setTooLarge] = useState(false)
  const take = (file: File | undefined): void => {
    if (!file) return
    setTooLarge(file.size > maxBytes)
    if (file.size <= maxBytes) onFile(file)
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files[0])
  }
  const over = (event: DragEvent): void => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <div
      className={classes.drop}
      data-over={isOver}
      onDrop={drop}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
    >
      <Button
        variant="default"
        leftSection={<IconUpload size={16} />}
        aria-describedby={hintId}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <Text size="sm" c="dimmed" id={hintId}>
        {hint}
      </Text>
      {isTooLarge && (
        <Text size="sm" c="red" role="alert">
          {interpolate(tooLarge, { size: bytes(maxBytes) })}
        </Text>
      )}
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={({ currentTarget }) => {
          take(currentTarget.files?.[0])
          // The same file again, once it is corrected, is a change too.
          currentTarget.value = ''
        }}
      />
    </div>
  )
}
