import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { problemOf } from '../../../api/problem.ts'
import {
  meetEdits,
  withChoice,
  type EditConflict,
  type TwoEdits,
} from '../../../parts/forms/two-edits.ts'
import { byStart, changesOf, type Mark, type MarkChanges } from './marks.ts'

/** Marks by their keys. */
type MarksByKey = Record<string, Mark | undefined>

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
  /** What another member has saved meanwhile. */
  conflict: EditConflict<MarksByKey> | null
  decide: TwoEdits<MarksByKey>['decide']
}

interface Draft {
  /** The saved marks when editing began: a change of another member does not become a change of this one. */
  base: readonly Mark[]
  marks: readonly Mark[]
  conflict: EditConflict<MarksByKey> | null
}

/**
 * Holds the edited marks until they are saved together. `store` sends the changes; it resolves to the marks that
 * another member has saved meanwhile, or to null if the changes are saved.
 */
export function useMarks(
  saved: readonly Mark[],
  store: (changes: MarkChanges) => Promise<readonly Mark[] | null>,
): MarksDraft {
  const [draft, setDraft] = useState<Draft | null>(null)
  const { base, marks, conflict } = draft ?? { base: saved, marks: saved, conflict: null }
  const changes = changesOf(base, marks)
  const save = useMutation({
    mutationFn: () => store(changes),
    onSuccess: (theirs) => setDraft(theirs && met(base, marks, theirs)),
  })
  const [sent, setSent] = useState<readonly Mark[]>([])
  const { refusedKey, refusedField, message } = refusalOf(save.error, sent)
  return {
    marks: byStart(marks),
    changeCount: changes.changed.length + changes.deletedIds.length,
    set: (next) => setDraft({ base, marks: next, conflict }),
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
    errorAt: (key, field) => (key === refusedKey && field === refusedField ? message : undefined),
    refusedKey,
    conflict,
    decide(key, side) {
      if (!conflict) return
      const mark = conflict[side][key]
      const others = marks.filter((one) => one.key !== key)
      const next = mark ? [...others, mark] : others
      setDraft({ base, marks: next, conflict: withChoice(conflict, key, side) })
    },
  }
}

/** The mark and the field that a refusal is about. */
function refusalOf(error: Error | null, sent: readonly Mark[]) {
  const problem = error && problemOf(error)
  // Such as `chapters.2.end`: the place in the request, and the field.
  const [, place = '', refusedField] = /^\w+\.(\d+)\.(\w+)$/.exec(problem?.field ?? '') ?? []
  const refusedKey = refusedField === undefined ? null : (sent[Number(place)]?.key ?? null)
  return { refusedKey, refusedField, message: problem?.message }
}

const byKey = (marks: readonly Mark[]): MarksByKey =>
  Object.fromEntries(marks.map((mark) => [mark.key, mark]))

/**
 * Both edits in one draft, which starts from what the other editor has saved. Null without a difference: this save
 * was made before, and its response was lost.
 */
function met(base: readonly Mark[], mine: readonly Mark[], theirs: readonly Mark[]): Draft | null {
  const { merged, conflict } = meetEdits(byKey(base), byKey(mine), byKey(theirs))
  const marks = Object.values(merged).filter((mark) => !!mark)
  const { changed, deletedIds } = changesOf(theirs, marks)
  return changed.length + deletedIds.length === 0 ? null : { base: theirs, marks, conflict }
}
