import { ActionIcon, useDirection } from '@mantine/core'
import { useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react'
import { IconChevronLeft, IconChevronRight } from '../../icons/icons.tsx'
import { useWords } from '../../locales/words.tsx'
import { usePageActions } from '../page-actions.ts'
import classes from '../parts.module.css'

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
  const go = useKeptSteps(ids, onOpen)
  const actions = useMemo(() => {
    const leadTo = (step: 1 | -1, label: string, key: string) =>
      ids && idAt(ids, step) === null ? [] : [{ id: `row-${key}`, label, key, run: () => go(step) }]
    return [...leadTo(1, words.next, 'j'), ...leadTo(-1, words.previous, 'k')]
  }, [ids, words, go])
  usePageActions(actions)
  if (ids?.previous === null && ids.next === null) return null
  const [Left, Right] =
    dir === 'rtl' ? [IconChevronRight, IconChevronLeft] : [IconChevronLeft, IconChevronRight]
  return (
    <nav className={classes.neighbours} aria-label={words.label}>
      <Step id={ids?.previous} onOpen={onOpen} label={words.previous}>
        <Left size={16} />
      </Step>
      <Step id={ids?.next} onOpen={onOpen} label={words.next}>
        <Right size={16} />
      </Step>
    </nav>
  )
}

const idAt = (ids: NeighbourIds, step: number): string | null =>
  step > 0 ? ids.next : ids.previous

/** Returns what goes on (1) or back (-1). Steps that are asked for before the neighbours are known are taken once they are. */
function useKeptSteps(ids: NeighbourIds | undefined, onOpen: (id: string) => void) {
  const kept = useRef(0)
  /** The neighbours that led on last: those of the next row are others. */
  const used = useRef<NeighbourIds>(undefined)
  const take = useCallback(
    (step: number) => {
      if (!ids) return
      const id = idAt(ids, step)
      used.current = ids
      // At the end of the list, further steps lead nowhere.
      if (id === null) kept.current = 0
      else onOpen(id)
    },
    [ids, onOpen],
  )
  useEffect(() => {
    const step = Math.sign(kept.current)
    if (!ids || step === 0 || ids === used.current) return
    kept.current -= step
    take(step)
  }, [ids, take])
  return useCallback(
    (step: 1 | -1) => {
      if (ids) take(step)
      else kept.current += step
    },
    [ids, take],
  )
}

interface StepProps extends Pick<Props, 'onOpen'> {
  id: string | null | undefined
  label: string
  children: ReactNode
}

/** Keeps the focus while it leads nowhere, so that several rows can be passed by one key. */
function Step({ id, onOpen, label, children }: StepProps) {
  const isOff = id == null
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      data-disabled={isOff || undefined}
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) onOpen(id)
      }}
    >
      {children}
    </ActionIcon>
  )
}
