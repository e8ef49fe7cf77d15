/** A page of a list, newest first. */
interface Page<T> {
  data: T[]
  has_more: boolean
}

/**
 * Yields every item of a list, page by page. `readPage` adds the given cursor to its query. Items
 * that are created during the iteration are before the first page and are omitted. The next page is
 * read before the last item of a page is yielded, because the caller may delete items, and a
 * deleted item may not be a valid cursor.
 */
export async function* everyItem<T extends { id: string | number }>(
  readPage: (cursor: { starting_after?: T['id'] }) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let page = await readPage({})
  for (;;) {
    yield* page.data.slice(0, -1)
    const last = page.data.at(-1)
    if (last === undefined) return
    const next = page.has_more ? await readPage({ starting_after: last.id }) : null
    yield last
    if (next === null) return
    page = next
  }
}

/** The largest page of a list, which needs the fewest requests. */
export const PAGE_LIMIT_MAX = 100
