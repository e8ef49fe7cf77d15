import { z } from 'zod'
import type { SavedView } from '../../db/entities/member.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { deletedSchema, listSchema } from '../list.ts'
import { rowId, timestamp } from '../values.ts'

/** The parameters of the address that a view keeps: choices, and texts that are longer. */
export const savedSearch = <Parameter extends z.ZodType<string>>(
  choice: Parameter,
  long: Parameter,
) =>
  z
    .strictObject({
      q: long.optional(),
      status: choice.optional(),
      folder: choice.optional(),
      protection: choice.optional(),
      tag: choice.optional(),
      external_id: long.optional(),
      key: choice.optional(),
      value: long.optional(),
      created_from: choice.optional(),
      created_to: choice.optional(),
      min_seconds: choice.optional(),
      max_seconds: choice.optional(),
      sort: choice.optional(),
    })
    .meta({ description: 'Filters and order, as the address of the list of videos has them.' })

/** Filters and order of the list of videos, which a member has saved under a name. */
export const savedViewSchema = z
  .strictObject({
    id: rowId,
    object: z.literal('saved_view'),
    name: z.string().meta({ example: 'Drafts of autumn' }),
    search: savedSearch(z.string(), z.string()),
    created_at: timestamp('When it was saved.'),
    updated_at: timestamp('When it was last changed.'),
  })
  .meta({ id: 'SavedView' })

/** The saved view object. */
export const savedViewView = (view: SavedView): z.output<typeof savedViewSchema> => ({
  id: view.id,
  object: 'saved_view',
  name: view.name,
  search: view.search,
  created_at: isoUtc(view.createdAt),
  updated_at: isoUtc(view.updatedAt),
})

export const savedViewListSchema = listSchema(savedViewSchema).meta({ id: 'SavedViewList' })
export const deletedSavedViewSchema = deletedSchema('saved_view', rowId).meta({
  id: 'DeletedSavedView',
})
