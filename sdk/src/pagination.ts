/** A page of a list. */
interface Page<T> {
  data: T[]
  has_more: boolean
  /** The place of its last item, for lists of several orders. Elsewhere the id of the item is its place. */
  next_cursor?: string | null
}

/**
 * Yields every item of a list, page by page. `readPage` adds the given cursor to its query. In a list that begins with the newest, items
 * that are created during the iteration are omitted. The next page is
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
    const place = page.next_cursor ?? last.id
    const next = page.has_more ? await readPage({ starting_after: place }) : null
    yield last
    if (next === null) return
    page = next
  }
}

/** The largest page of a list, which needs the fewest requests. */
export const PAGE_LIMIT_MAX = 100
