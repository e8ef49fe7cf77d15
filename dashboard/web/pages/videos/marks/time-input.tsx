import { TextInput } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import { useFormats } from '../../../parts/text/formats.ts'
import { useVideosWords } from '../words.ts'
import { parseClock } from './clock.ts'

interface Props {
  label: string
  /** Whole seconds. */
  seconds: number
  error: string | undefined
  onChange: (seconds: number) => void
}

const STEPS: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }

/** A time as text, such as `1:05`. It counts when the field is left or with Enter; the arrow keys change it by a second. */
export function TimeInput({ label, seconds, error, onChange }: Props) {
  const { marks } = useVideosWords()
  const { duration } = useFormats()
  const [text, setText] = useState(duration(seconds))
  const [shown, setShown] = useState(seconds)
  // The timeline changes the time too.
  if (shown !== seconds) {
    setShown(seconds)
    setText(duration(seconds))
  }
  const typed = parseClock(text)
  const commit = (): void => {
    if (typed === null) return
    setText(duration(typed))
    if (typed !== seconds) onChange(typed)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key]
    if (event.key === 'Enter') event.preventDefault()
    if (event.key === 'Enter') commit()
    if (step === undefined) return
    event.preventDefault()
    onChange(Math.max(0, (typed ?? seconds) + step))
  }
  return (
    <TextInput
      size="xs"
      aria-label={label}
      title={label}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={commit}
      onKeyDown={onKeyDown}
      error={typed === null ? marks.notTime : error}
      inputMode="numeric"
      dir="ltr"
      w={90}
    />
  )
}
