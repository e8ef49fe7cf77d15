import { Button, Group, Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { randomId } from '../../../api/random-id.ts'
import { IconPlus } from '../../../icons/icons.tsx'
import { interpolate } from '../../../locales/interpolate.ts'
import { useWords } from '../../../locales/words.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { isUndecided } from '../../../parts/forms/two-edits.ts'
import { useUnsavedChanges } from '../../../parts/forms/unsaved-changes.ts'
import { Section } from '../../../parts/section.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { usePlayerSecond } from '../video/playback.tsx'
import classes from '../video/video-page.module.css'
import { useVideosWords } from '../words.ts'
import type { MarkKind } from './mark-kinds.ts'
import { MarkFields, MarkTexts } from './mark-list.tsx'
import { MarksConflict } from './marks-conflict.tsx'
import { withMove, type Mark, type MarkChanges } from './marks.ts'
import timelineClasses from './timeline.module.css'
import { Timeline } from './timeline.tsx'
import { useMarks, type MarksDraft } from './use-marks.ts'

interface Props {
  kind: MarkKind
  /** Undefined while they load. */
  saved: readonly Mark[] | undefined
  /** The last second that a mark can have; null until the duration is known. */
  last: number | null
  mayEdit: boolean
  /** Resolves to what another member has saved meanwhile, or null if the changes are saved. */
  store: (changes: MarkChanges) => Promise<readonly Mark[] | null>
}

const NONE: readonly Mark[] = []

/** The chapters or the moments of a video: a timeline under the player, and a list beside it. */
export function MarkEditor({ kind, saved, last, mayEdit, store }: Props) {
  const words = useVideosWords()
  const draft = useMarks(saved ?? NONE, store)
  useUnsavedChanges(draft.changeCount > 0)
  const { name } = kind
  const title = words.tabs[name]
  const move = (mark: Mark, edge: 'start' | 'end', seconds: number): void =>
    draft.set(withMove(draft.marks, mark, edge, seconds, last ?? 0))
  return (
    <>
      <div className={classes.under}>
        {last !== null && last > 0 && (
          <Timeline
            label={interpolate(words.marks.timeline, { title })}
            marks={draft.marks}
            last={last}
            isReadOnly={!mayEdit}
            onMove={move}
          />
        )}
        {mayEdit && (
          <Text size="sm" c="dimmed">
            {words[name].hint}
          </Text>
        )}
      </div>
      <Section
        className={classes.beside}
        title={title}
        actions={mayEdit && saved && <AddButton kind={kind} draft={draft} last={last} />}
      >
        {draft.error && <ErrorState error={draft.error} />}
        {draft.conflict && <MarksConflict draft={draft} conflict={draft.conflict} />}
        {!saved && <Skeleton height={180} />}
        {saved && draft.marks.length === 0 && <Text c="dimmed">{words[name].empty}</Text>}
        {draft.marks.length > 0 && <Marks kind={kind} draft={draft} mayEdit={mayEdit} />}
        {draft.changeCount > 0 && <SaveBar draft={draft} />}
      </Section>
    </>
  )
}

function Marks({ kind, draft, mayEdit }: Pick<Props, 'kind' | 'mayEdit'> & { draft: MarksDraft }) {
  const { tabs } = useVideosWords()
  const label = tabs[kind.name]
  if (!mayEdit) return <MarkTexts label={label} marks={draft.marks} />
  return <MarkFields label={label} draft={draft} kind={kind} />
}

/** Adds a mark where the player is, or at the beginning until it is ready. */
function AddButton({ kind, draft, last }: Pick<Props, 'kind' | 'last'> & { draft: MarksDraft }) {
  const { marks: words } = useVideosWords()
  const { duration } = useFormats()
  const { second } = usePlayerSecond()
  const [refused, setRefused] = useState<number | null>(null)
  const at = Math.min(second ?? 0, last ?? Infinity)
  const add = (): void => {
    const marks = kind.withMarkAt(draft.marks, at, last, randomId())
    setRefused(marks ? null : at)
    if (marks) draft.set(marks)
  }
  return (
    <>
      <Button size="compact-sm" leftSection={<IconPlus size={14} />} onClick={add}>
        {interpolate(words.addAt, { time: duration(at) })}
      </Button>
      {refused === at && (
        <Text size="sm" role="alert">
          {words.taken}
        </Text>
      )}
    </>
  )
}

function SaveBar({ draft }: { draft: MarksDraft }) {
  const { details, marks: words } = useVideosWords()
  const { parts } = useWords()
  const { counted } = useFormats()
  const changes = counted(words.unsaved, draft.changeCount)
  return (
    <div className={timelineClasses.save}>
      <Text size="sm" c="dimmed">
        {changes}
      </Text>
      {draft.refusedKey !== null && <VisuallyHidden role="alert">{words.refused}</VisuallyHidden>}
      <Group gap="xs">
        <Button variant="default" onClick={draft.discard}>
          {parts.cancel}
        </Button>
        <Button
          loading={draft.isSaving}
          disabled={isUndecided(draft.conflict)}
          onClick={draft.save}
        >
          {details.save}
        </Button>
      </Group>
    </div>
  )
}
