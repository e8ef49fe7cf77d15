/** A chapter or a moment while it is edited. Times are whole seconds. */
export interface Mark {
  /** Stays the same while the mark is edited. */
  key: string
  /** Null until it is saved. */
  id: number | null
  text: string
  start: number
  /** The first second after a chapter; null for a moment. */
  end: number | null
}

export type Edge = 'start' | 'end'

/** What has changed, for the server. The place of a mark in `changed` is its place in the request. */
export interface MarkChanges {
  changed: Mark[]
  deletedIds: number[]
  /** The saved marks that the changes start from. */
  from: readonly Mark[]
}

/** The marks by start; texts that are being typed do not move. */
export const byStart = (marks: readonly Mark[]): Mark[] =>
  marks.toSorted((a, b) => a.start - b.start)

/** Returns what differs between the saved marks and the edited ones. */
export function changesOf(saved: readonly Mark[], edited: readonly Mark[]): MarkChanges {
  const before = new Map(saved.map((mark) => [mark.id, mark]))
  const kept = new Set(edited.map(({ id }) => id))
  return {
    from: saved,
    changed: edited.filter((mark) => !isSame(mark, before.get(mark.id))),
    deletedIds: saved.flatMap(({ id }) => (id === null || kept.has(id) ? [] : [id])),
  }
}

const isSame = (mark: Mark, other: Mark | undefined): boolean =>
  other !== undefined &&
  mark.id !== null &&
  mark.text === other.text &&
  mark.start === other.start &&
  mark.end === other.end

/** Replaces the mark of the same key. */
export const withMark = (marks: readonly Mark[], changed: Mark): Mark[] =>
  byStart(marks.map((mark) => (mark.key === changed.key ? changed : mark)))

/**
 * Adds a chapter at a second: it ends where the next one begins, or where the chapter ends that it divides. Returns null
 * if one begins there already, or nothing is left of the video.
 */
export function withChapterAt(
  marks: readonly Mark[],
  start: number,
  lastEnd: number,
  key: string,
): Mark[] | null {
  if (marks.some((mark) => mark.start === start)) return null
  const divided = marks.find((mark) => mark.start < start && start < (mark.end ?? 0))
  const next = byStart(marks).find((mark) => mark.start > start)
  const end = divided?.end ?? next?.start ?? lastEnd
  if (end <= start) return null
  const rest = marks.map((mark) => (mark === divided ? cut(mark, start) : mark))
  return byStart([...rest, { key, id: null, text: '', start, end }])
}

const cut = ({ key, id, text, start }: Mark, end: number): Mark => ({ key, id, text, start, end })

/** Adds a moment at a second; returns null if there is one. */
export function withMomentAt(marks: readonly Mark[], start: number, key: string): Mark[] | null {
  if (marks.some((mark) => mark.start === start)) return null
  return byStart([...marks, { key, id: null, text: '', start, end: null }])
}

/** The range within which an edge of a mark can move: chapters do not overlap, moments have different seconds. */
export function rangeOf(
  marks: readonly Mark[],
  { key, start, end }: Mark,
  edge: Edge,
  last: number,
): { min: number; max: number } {
  if (end === null) return { min: 0, max: last }
  const others = marks.filter((mark) => mark.key !== key)
  if (edge === 'end') {
    const next = Math.min(...others.filter((mark) => mark.start >= end).map((mark) => mark.start))
    return { min: start + 1, max: Math.min(next, last) }
  }
  // The chapter before moves with the boundary that they share.
  const before = others
    .filter((mark) => (mark.end ?? 0) <= start)
    .map((mark) => (mark.end === start ? mark.start + 1 : (mark.end ?? 0)))
  return { min: Math.max(0, ...before), max: end - 1 }
}

/** Moves an edge of a mark as far as its neighbours allow; a chapter that touches it moves with it. */
export function withMove(
  marks: readonly Mark[],
  moved: Mark,
  edge: Edge,
  seconds: number,
  last: number,
): Mark[] {
  const { min, max } = rangeOf(marks, moved, edge, last)
  const to = Math.min(Math.max(Math.round(seconds), min), max)
  const { key, id, text, start, end } = moved
  if (edge === 'end') return withMark(marks, { key, id, text, start, end: to })
  if (end === null) {
    const isTaken = marks.some((mark) => mark.key !== key && mark.start === to)
    return isTaken ? [...marks] : withMark(marks, { key, id, text, start: to, end })
  }
  const joined = marks.map((mark) =>
    mark.key !== key && mark.end === start ? cut(mark, to) : mark,
  )
  return withMark(joined, { key, id, text, start: to, end })
}
