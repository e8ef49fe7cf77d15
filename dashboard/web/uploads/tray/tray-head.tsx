import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconX } from '../../icons/icons.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { isUnderWay, type UploadItem } from '../queue/upload-item.ts'
import { useUploadsWords } from '../words.ts'
import classes from './tray.module.css'
import { shareOfAll } from './use-state-text.ts'

interface Props {
  shown: readonly UploadItem<File>[]
  isOpen: boolean
  onToggle: () => void
  onClose: () => void
}

/** What the uploads come to, and how to fold them. They are closed once none is unfinished. */
export function TrayHead({ shown, isOpen, onToggle, onClose }: Props) {
  const words = useUploadsWords()
  const Chevron = isOpen ? IconChevronDown : IconChevronUp
  const mayClose = shown.every(({ state }) => state === 'done' || state === 'failed')
  return (
    <div className={classes.head}>
      <h2>
        <Summary shown={shown} />
      </h2>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={isOpen ? words.hide : words.show}
        title={isOpen ? words.hide : words.show}
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        <Chevron size={18} />
      </ActionIcon>
      {mayClose && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={words.close}
          title={words.close}
          onClick={onClose}
        >
          <IconX size={18} />
        </ActionIcon>
      )}
    </div>
  )
}

function Summary({ shown }: Pick<Props, 'shown'>) {
  const words = useUploadsWords()
  const { counted, percent } = useFormats()
  const sending = shown.filter(isUnderWay).length
  const asking = shown.filter(({ state }) => state === 'paused' || state === 'failed').length
  if (sending > 0) return `${counted(words.sending, sending)} · ${percent(shareOfAll(shown))}`
  if (asking > 0) return counted(words.asking, asking)
  return shown.length > 0 ? words.finished : words.title
}
