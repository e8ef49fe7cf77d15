import type { ReactNode } from 'react'
import { useWords } from '../../../locales/words.tsx'
import { ConflictNotice } from '../../../parts/forms/conflict-notice.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { useVideosWords } from '../words.ts'
import type { MarksDraft } from './use-marks.ts'

interface Props {
  draft: MarksDraft
  conflict: NonNullable<MarksDraft['conflict']>
}

/** What two members have changed in the same chapters or moments. */
export function MarksConflict({ draft: { decide }, conflict }: Props) {
  const { conflict: words } = useWords()
  const { marks: texts } = useVideosWords()
  const { duration } = useFormats()
  const { mine, theirs, names, taken, decided } = conflict
  const titleOf = (key: string): string => (theirs[key] ?? mine[key])?.text || texts.untitled
  const valueOf = (mark: (typeof mine)[string]): ReactNode => {
    if (!mark) return words.gone
    const times = [mark.start, mark.end].flatMap((second) => second ?? [])
    return (
      <>
        <bdi>{mark.text || texts.untitled}</bdi> <bdi>{times.map(duration).join(' – ')}</bdi>
      </>
    )
  }
  const contradictions = names.map((name) => ({
    name,
    label: <bdi>{titleOf(name)}</bdi>,
    mine: valueOf(mine[name]),
    theirs: valueOf(theirs[name]),
  }))
  return <ConflictNotice {...{ contradictions, taken: taken.map(titleOf), decided, decide }} />
}
