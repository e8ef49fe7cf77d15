import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { problemOf } from '../../api/problem.ts'
import { randomId } from '../../api/random-id.ts'
import { byStart, changesOf } from './marks.ts'
import type { Mark, MarkChanges } from './marks.ts'

/** The marks of a video while they are edited: what is shown, what has changed, and why saving failed. */
export interface MarksDraft {
  marks: readonly Mark[]
  /** How many marks differ from the saved ones. */
  changeCount: number
  set: (marks: Mark[]) => void
  discard: () => void
  save: () => void
  isSaving: boolean
  error: Error | null
  /** The message of a refusal about one field of a mark; undefined if there is none. */
  errorAt: (key: string, field: string) => string | undefined
  /** The key of the mark that was refused; null for another problem. */
  refusedKey: string | null
  newKey: () => string
}

interface Draft {
  /** The saved marks when editing began: a change of another member does not become a change of this one. */
  base: readonly Mark[]
  marks: readonly Mark[]
}

/** Holds the edited marks until they are saved together. `store` sends the changes. */
export function useMarks(
  saved: readonly Mark[],
  store: (changes: MarkChanges) => Promise<void>,
): MarksDraft {
  const [draft, setDraft] = useState<Draft | null>(null)
  const { base, marks } = draft ?? { base: saved, marks: saved }
  const changes = changesOf(base, marks)
  const save = useMutation({
    mutationFn: () => store(changes),
    onSuccess: () => setDraft(null),
  })
  const problem = save.error && problemOf(save.error)
  // Such as `chapters.2.end`: the place in the request, and the field.
  const [, place = '', refusedField] = /^\w+\.(\d+)\.(\w+)$/.exec(problem?.field ?? '') ?? []
  const [sent, setSent] = useState<readonly Mark[]>([])
  const refusedKey = refusedField === undefined ? null : (sent[Number(place)]?.key ?? null)
  return {
    marks: byStart(marks),
    changeCount: changes.changed.length + changes.deletedIds.length,
    set: (next) => setDraft({ base, marks: next }),
    discard() {
      setDraft(null)
      save.reset()
    },
    save() {
      setSent(changes.changed)
      save.mutate()
    },
    isSaving: save.isPending,
    error: refusedKey === null ? save.error : null,
    errorAt: (key, field) =>
      key === refusedKey && field === refusedField ? problem?.message : undefined,
    refusedKey,
    newKey: randomId,
  }
}
