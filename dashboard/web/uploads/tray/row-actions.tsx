import { ActionIcon, Button } from '@mantine/core'
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { VIDEO_TYPES } from '../../../../domain/uploads/video-names.ts'
import { IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import type { UploadItem } from '../queue/upload-item.ts'
import { useUploadsWords } from '../words.ts'
import type { RowProps } from './row-props.ts'
import classes from './tray.module.css'

const CancelDialog = lazy(async () => ({
  default: (await import('./cancel-dialog.tsx')).CancelDialog,
}))

interface Props extends RowProps {
  /** Whether the file that was chosen last is another one. */
  onOtherFile: (isOther: boolean) => void
}

/** The buttons of an upload. Cancelling one of which much is sent asks first. */
export function RowActions({ item, queue, onGone, onOtherFile }: Props) {
  const { actions } = useUploadsWords()
  const { key, name, state, file, sentBytes } = item
  const [isAsking, setAsking] = useState(false)
  const remove = (): void => {
    onGone()
    if (state === 'done') queue.dismiss([key])
    else queue.cancel(key)
  }
  const isDone = state === 'done'
  const label = isDone || state === 'failed' ? actions.dismiss : actions.cancel
  return (
    <div className={classes.actions}>
      {!isDone && file === null ? (
        <ChooseFile item={item} onFile={(one) => onOtherFile(!queue.choose(key, one))} />
      ) : (
        <Toggle item={item} queue={queue} />
      )}
      <Action
        label={interpolate(label, { name })}
        onClick={() => (isDone || sentBytes < ASKED_FROM_BYTES ? remove() : setAsking(true))}
      >
        <IconX size={16} />
      </Action>
      {isAsking && (
        <Suspense>
          <CancelDialog item={item} onCancel={remove} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** So much is not sent again in a minute. */
const ASKED_FROM_BYTES = 100_000_000

/** Pauses, continues or tries again, by one button, which keeps the focus. */
function Toggle({ item: { key, name, state }, queue }: Pick<RowProps, 'item' | 'queue'>) {
  const { actions } = useUploadsWords()
  if (state === 'done') return null
  const isRunning = state === 'uploading' || state === 'waiting'
  const running = { label: actions.pause, Icon: IconPlayerPause }
  const failed = { label: actions.retry, Icon: IconRefresh }
  const paused = { label: actions.resume, Icon: IconPlayerPlay }
  const { label, Icon } = isRunning ? running : state === 'failed' ? failed : paused
  return (
    <Action
      label={interpolate(label, { name })}
      onClick={() => (isRunning ? queue.pause(key) : queue.resume(key))}
    >
      <Icon size={16} />
    </Action>
  )
}

/** Takes the same file again, after a reload. */
function ChooseFile({ item, onFile }: { item: UploadItem; onFile: (file: File) => void }) {
  const { actions } = useUploadsWords()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        size="compact-xs"
        variant="light"
        aria-label={`${actions.choose}: ${item.name}`}
        onClick={() => input.current?.click()}
      >
        {actions.choose}
      </Button>
      <input
        ref={input}
        type="file"
        accept={VIDEO_TYPES}
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) onFile(file)
          currentTarget.value = ''
        }}
      />
    </>
  )
}

interface ActionProps {
  label: string
  onClick: () => void
  children: ReactNode
}

const Action = ({ label, onClick, children }: ActionProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size="md"
    aria-label={label}
    title={label}
    onClick={onClick}
  >
    {children}
  </ActionIcon>
)
