import { cursorsIn, textIn, type Cursors } from './cursors.ts'

/** What the address of a list with a search says. */
export interface SearchCursors extends Cursors {
  q?: string | undefined
}

/** The search and the cursors of an address; anything that they cannot mean is left out. */
export const searchCursorsIn = (search: Record<string, unknown>): SearchCursors => ({
  ...cursorsIn(search),
  q: textIn(search.q),
})
