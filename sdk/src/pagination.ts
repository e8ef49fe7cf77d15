/** A page of a list, newest first. */
interface Page<T> {
  data: T[]
  has_more: boolean
}

/**
 * Every item of a list, a page at a time. `readPage` gets the cursor to add to its query; what is
 * created meanwhile lies before the first page and is left out. The next page is read before the last
 * item of a page is given, since the caller may delete each item, and a deleted one is no cursor.
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

/** The largest page that a list gives: the fewest requests. */
export const PAGE_LIMIT_MAX = 100
