import { Button, useDirection } from '@mantine/core'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { IconChevronLeft, IconChevronRight } from '../icons/icons.tsx'
import { useWords } from '../words/words.tsx'
import { usePageActions } from './page-actions.ts'
import classes from './parts.module.css'

/** The rows before and after one row of a list; null at its ends. */
interface NeighbourIds {
  previous: string | null
  next: string | null
}

interface Props {
  /** Undefined until they are known. */
  ids: NeighbourIds | undefined
  /** Opens the page of a row. Keep it stable (`useCallback`). */
  onOpen: (id: string) => void
}

/** Leads to the rows before and after this one, by buttons and by the keys K and J. */
export function Neighbours({ ids, onOpen }: Props) {
  const { neighbours: words } = useWords()
  const { dir } = useDirection()
  const actions = useMemo(() => {
    const leadTo = (id: string | null | undefined, label: string, key: string) =>
      id == null ? [] : [{ id: `row-${key}`, label, key, run: () => onOpen(id) }]
    return [...leadTo(ids?.next, words.next, 'j'), ...leadTo(ids?.previous, words.previous, 'k')]
  }, [ids, words, onOpen])
  usePageActions(actions)
  if (ids?.previous === null && ids.next === null) return null
  const [Left, Right] =
    dir === 'rtl' ? [IconChevronRight, IconChevronLeft] : [IconChevronLeft, IconChevronRight]
  return (
    <nav className={classes.neighbours} aria-label={words.label}>
      <Step id={ids?.previous} onOpen={onOpen} leftSection={<Left size={14} />}>
        {words.previous}
      </Step>
      <Step id={ids?.next} onOpen={onOpen} rightSection={<Right size={14} />}>
        {words.next}
      </Step>
    </nav>
  )
}

interface StepProps extends Pick<Props, 'onOpen'> {
  id: string | null | undefined
  leftSection?: ReactNode
  rightSection?: ReactNode
  children: ReactNode
}

/** Keeps the focus while it leads nowhere, so that several rows can be passed by one key. */
function Step({ id, onOpen, ...look }: StepProps) {
  const isOff = id == null
  return (
    <Button
      {...look}
      variant="subtle"
      size="compact-sm"
      data-disabled={isOff || undefined}
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) onOpen(id)
      }}
    />
  )
}
