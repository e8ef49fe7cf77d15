import { ActionIcon, Button, VisuallyHidden } from '@mantine/core'
import { useEffect, useState, type MouseEvent } from 'react'
import { IconCheck, IconCopy } from '../../icons/icons.tsx'
import { useWords } from '../../locales/words.tsx'
import classes from '../parts.module.css'
import { copyText } from './copy-text.ts'

const SHOWN_MS = 2_000

interface Props {
  text: string
  /** What is copied, for screen readers, or the text of the button. */
  label: string
  isWide?: boolean
  /** Of a wide one. */
  size?: 'sm' | 'compact-sm'
}

/** Copies a text and says so. */
export function CopyButton({ text, label, isWide = false, size = 'compact-sm' }: Props) {
  const { parts } = useWords()
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async ({ currentTarget }: MouseEvent<HTMLButtonElement>): Promise<void> =>
    setOutcome((await copyText(text, currentTarget)) ? 'copied' : 'failed')
  const onClick = (event: MouseEvent<HTMLButtonElement>): void => void copy(event)
  const icon = outcome === 'copied' ? <IconCheck size={16} /> : <IconCopy size={16} />
  const said = outcome === null ? '' : outcome === 'copied' ? parts.copied : parts.copyFailed
  return (
    <>
      {isWide ? (
        <Button variant="default" size={size} leftSection={icon} onClick={onClick}>
          <span className={classes.copied}>
            {/* Keeps the width, so that nothing beside the button moves. */}
            <span data-hidden={said !== ''}>{label}</span>
            {said && <span>{said}</span>}
          </span>
        </Button>
      ) : (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`${parts.copy}: ${label}`}
          title={said || parts.copy}
          onClick={onClick}
        >
          {icon}
        </ActionIcon>
      )}
      <VisuallyHidden component="output">{said}</VisuallyHidden>
    </>
  )
}
