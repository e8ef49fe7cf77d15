import { TextInput } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { IconSearch } from '../../icons/icons.tsx'

/** Until typing pauses. */
const SEARCH_DELAY_MS = 250

interface Props {
  className?: string
  label: string
  /** The text in the address. */
  value: string
  /** Puts the text into the address; undefined for an empty one. Keep it stable (`useCallback`). */
  onSearch: (text: string | undefined) => void
}

/** A text that filters a list by way of the address. */
export function SearchField({ className, label, value, onSearch }: Props) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState({ value, sent: value })
  // Back and "clear filters" change the address, and so the text. The search that was sent arrives there
  // while more is typed, and does not.
  if (value !== seen.value) {
    setSeen({ value, sent: value })
    if (value !== seen.sent) setText(value)
  }
  const router = useRouter()
  // Another page was asked for: a search that is not sent yet would lead back from it.
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
        if (pathChanged) setText(value)
      }),
    [router, value],
  )
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => {
      setSeen({ value, sent: text })
      onSearch(text === '' ? undefined : text)
    }, SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text, value, onSearch])
  return (
    <TextInput
      className={className}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  )
}
