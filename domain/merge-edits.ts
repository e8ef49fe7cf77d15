import { isSame } from './accounts/audit.ts'

/** Two edits of the same fields, or of the same rows by their ids. */
interface TwoEdits<T> {
  /** What both have started from. */
  opened: T
  mine: T
  theirs: T
}

/** The names of fields or the ids of rows. */
type NameOf<T> = Extract<keyof T, string>

interface Merge<T> {
  /** Both edits; where they contradict each other, mine. */
  merged: T
  /** What both have changed, to different values. */
  conflicts: NameOf<T>[]
  /** What only they have changed. */
  taken: NameOf<T>[]
}

/** Combines two edits. No value of either is lost: `conflicts` names what has to be decided. */
export function mergeEdits<T extends object>({ opened, mine, theirs }: TwoEdits<T>): Merge<T> {
  const merged: T = { ...theirs }
  const conflicts: NameOf<T>[] = []
  const taken: NameOf<T>[] = []
  for (const name in { ...opened, ...theirs, ...mine }) {
    const isMine = !isSame(opened[name], mine[name])
    const isTheirs = !isSame(opened[name], theirs[name])
    if (isMine) merged[name] = mine[name]
    if (isMine && isTheirs && !isSame(mine[name], theirs[name])) conflicts.push(name)
    if (isTheirs && !isMine) taken.push(name)
  }
  return { merged, conflicts, taken }
}

/** The values in `from` of those fields that `change` names: what a change requires to be still stored. */
export function valuesBefore<T extends object>(change: T, from: T): Partial<T> {
  const values: Partial<T> = {}
  for (const name in change)
    if (change[name] !== undefined && from[name] !== undefined) values[name] = from[name]
  return values
}

/** Whether the rows with these ids are the same in both lists; a row that both lack is. */
export const areSameRows = <Row extends { id: number }>(
  ids: number[],
  some: Row[],
  others: Row[],
): boolean =>
  ids.every((id) =>
    isSame(
      some.find((row) => row.id === id),
      others.find((row) => row.id === id),
    ),
  )
