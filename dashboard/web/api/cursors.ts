/** Which page of a list with row ids the address shows: the last id of the page before, or the first of the page after. */
export interface Cursors {
  after?: number
  before?: number
}

/** A text of an address; undefined for anything else and for the empty text. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** A row id of an address; undefined for anything else. */
export function rowIdOf(value: unknown): number | undefined {
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** The cursors of an address; anything that they cannot mean is left out. */
export function cursorsIn({ after, before }: Record<string, unknown>): Cursors {
  return { after: rowIdOf(after), before: rowIdOf(before) }
}

/** The cursors as the query of a list names them. */
export const cursorsOf = ({ after, before }: Cursors) => ({
  starting_after: after,
  ending_before: before,
})
