/** A page of a list, newest first. */
interface Page<T> {
  data: T[]
  has_more: boolean
}

/**
 * Every item of a list, a page at a time and no page before it is needed. `readPage` gets the cursor
 * to add to its query; what is created meanwhile lies before the first page and is left out.
 */
export async function* everyItem<T extends { id: string | number }>(
  readPage: (cursor: { starting_after?: T['id'] }) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: { starting_after?: T['id'] } = {}
  for (;;) {
    const page = await readPage(cursor)
    yield* page.data
    const last = page.data.at(-1)
    if (!page.has_more || last === undefined) return
    cursor = { starting_after: last.id }
  }
}

/** The largest page that a list gives: the fewest requests. */
export const PAGE_LIMIT_MAX = 100
