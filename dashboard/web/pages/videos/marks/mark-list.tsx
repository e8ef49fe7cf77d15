import { ActionIcon, Button, Text, TextInput } from '@mantine/core'
import { IconPlayerPlay, IconTrash } from '../../../icons/icons.tsx'
import { interpolate } from '../../../locales/interpolate.ts'
import { focusOnce } from '../../../parts/focus/focus-once.ts'
import { useFormats } from '../../../parts/text/formats.ts'
import { usePlayerSecond } from '../video/playback.tsx'
import { useVideosWords } from '../words.ts'
import type { MarkKind } from './mark-kinds.ts'
import { withMark, type Mark } from './marks.ts'
import { TimeInput } from './time-input.tsx'
import classes from './timeline.module.css'
import type { MarksDraft } from './use-marks.ts'

interface Props {
  label: string
  draft: MarksDraft
  kind: MarkKind
}

/** The marks as fields. */
export function MarkFields({ label, draft, kind }: Props) {
  const { marks: words } = useVideosWords()
  const { second } = usePlayerSecond()
  const change = (
    { key, id, text: oldText, start: oldStart, end: oldEnd }: Mark,
    { text = oldText, start = oldStart, end = oldEnd }: Partial<Mark>,
  ): void => draft.set(withMark(draft.marks, { key, id, text, start, end }))
  return (
    <ol className={classes.rows} aria-label={label}>
      {draft.marks.map((mark) => (
        <li key={mark.key} className={classes.row} data-now={isNow(mark, second)}>
          <div className={classes.line}>
            <TextInput
              className={classes.text}
              size="xs"
              aria-label={words.text}
              placeholder={words.text}
              value={mark.text}
              onChange={({ currentTarget }) => change(mark, { text: currentTarget.value })}
              error={draft.errorAt(mark.key, kind.textField)}
              dir="auto"
              ref={mark.id === null && mark.text === '' ? focusOnce : undefined}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={interpolate(words.remove, { title: mark.text || words.untitled })}
              title={interpolate(words.remove, { title: mark.text || words.untitled })}
              onClick={() => draft.set(draft.marks.filter(({ key }) => key !== mark.key))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </div>
          <div className={classes.line}>
            <TimeInput
              label={mark.end === null ? words.time : words.start}
              seconds={mark.start}
              error={draft.errorAt(mark.key, kind.startField)}
              onChange={(start) => change(mark, { start })}
            />
            {mark.end !== null && <span aria-hidden>–</span>}
            {mark.end !== null && (
              <TimeInput
                label={words.end}
                seconds={mark.end}
                error={draft.errorAt(mark.key, 'end')}
                onChange={(end) => change(mark, { end })}
              />
            )}
            <SeekButton mark={mark} />
          </div>
        </li>
      ))}
    </ol>
  )
}

/** The marks for members who may not change them. */
export function MarkTexts({ label, marks }: { label: string; marks: readonly Mark[] }) {
  const { duration } = useFormats()
  const { second } = usePlayerSecond()
  return (
    <ol className={classes.rows} aria-label={label}>
      {marks.map((mark) => (
        <li key={mark.key} className={classes.row} data-now={isNow(mark, second)}>
          <div className={classes.line}>
            <div className={classes.text}>
              <bdi>{mark.text}</bdi>
              <Text size="xs" c="dimmed" dir="ltr" ta="start">
                {duration(mark.start)}
                {mark.end !== null && ` – ${duration(mark.end)}`}
              </Text>
            </div>
            <SeekButton mark={mark} />
          </div>
        </li>
      ))}
    </ol>
  )
}

const isNow = ({ start, end }: Mark, second: number | null): boolean =>
  second !== null && end !== null && start <= second && second < end

/** Takes the player to a mark, once it is ready. */
function SeekButton({ mark: { text, start } }: { mark: Mark }) {
  const { marks: words } = useVideosWords()
  const { second, seek } = usePlayerSecond()
  if (second === null) return null
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconPlayerPlay size={14} />}
      aria-label={interpolate(words.playFrom, { title: text || words.untitled })}
      onClick={() => seek(start)}
    >
      {words.play}
    </Button>
  )
}
