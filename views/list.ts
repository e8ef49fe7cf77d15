import { z } from 'zod'
import type { Page } from '../db/page.ts'

/** The schema of a list of `item`. */
export const listSchema = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    object: z.literal('list'),
    data: z.array(item),
    has_more: z.boolean().meta({ description: 'Whether there is another page in this direction.' }),
    url: z.string().meta({ description: 'The path of the list.', example: '/v1/videos' }),
  })

/** A page of rows as a list. */
export const listView = <Row, Item>(
  page: Page<Row>,
  view: (row: Row, index: number) => Item,
  url: string,
): { object: 'list'; data: Item[]; has_more: boolean; url: string } => ({
  object: 'list',
  data: page.rows.map(view),
  has_more: page.hasMore,
  url,
})

/** All rows as a list without pages. */
export const wholeListView = <Row, Item>(
  rows: Row[],
  view: (row: Row, index: number) => Item,
  url: string,
) => listView({ rows, hasMore: false }, view, url)

/** The schema of the response to a deletion. */
export const deletedSchema = <const O extends string, I extends z.ZodType>(object: O, id: I) =>
  z.strictObject({ id, object: z.literal(object), deleted: z.literal(true) })
