import { z } from 'zod'
import { createChapterBody, seconds } from '../../../api/chapters/schemas.ts'
import { videoIdParameter } from '../../../api/videos/schemas.ts'
import { saveChapters } from '../../../commands/chapters/save-chapters.ts'
import { saveMoments } from '../../../commands/moments/save-moments.ts'
import type { EntityManager } from '../../../db/database.ts'
import { listChapters, listMoments } from '../../../db/videos/annotations.ts'
import {
  CHAPTERS_MAX,
  LABEL_MAX_LENGTH,
  MOMENTS_MAX,
  TIMELINE_BODY_MAX_BYTES,
} from '../../../domain/limits.ts'
import { operation } from '../../../http/operation.ts'
import { text } from '../../../http/text.ts'
import { wholeListView } from '../../../views/list.ts'
import { rowId } from '../../../views/values.ts'
import {
  chapterListSchema,
  chapterView,
  momentListSchema,
  momentView,
} from '../../../views/videos/annotations.ts'
import { refuseStale } from './refuse-stale.ts'

const params = { id: videoIdParameter }

const id = rowId.nullable().meta({ description: 'Null for a new one.' })

const isUnique = (rows: { id: number | null }[]): boolean => {
  const ids = rows.flatMap((row) => row.id ?? [])
  return new Set(ids).size === ids.length
}
const STALE =
  ' `from` has the rows that the edit starts from. If one that it changes or deletes is different by now, nothing is saved, and the 409 `stale_edit` carries the list in `current`. Without `from`, the edit overwrites.'

const ONCE = { message: 'must name each id once' }

const chapters = z
  .array(createChapterBody.extend({ id }))
  .max(CHAPTERS_MAX)
  .refine(isUnique, ONCE)
  .meta({ description: 'The chapters that are new or changed. All others stay.' })

const deletedIds = z.array(rowId).max(CHAPTERS_MAX)

const chaptersOf = async (em: EntityManager, videoId: string) =>
  wholeListView(await listChapters(em, videoId), chapterView, `/v1/videos/${videoId}/chapters`)

/** What the audit log shows of chapters: without their index, by which a new first one would change all others. */
const auditedChapters = ({ data }: z.output<typeof chapterListSchema>) => ({
  data: data.map((one) => ({ id: one.id, title: one.title, start: one.start, end: one.end })),
})

const changeChapters = operation({
  id: 'saveChapters',
  method: 'patch',
  path: '/videos/{id}/chapters',
  tag: 'Chapters',
  summary: 'Create, change and delete several chapters at once',
  description:
    'All or none, so that chapters can change places. `param` of an error names the chapter, such as `chapters.2.end`.' +
    STALE,
  scope: 'videos:write',
  params,
  body: z.strictObject({
    chapters,
    deleted_ids: deletedIds,
    from: z
      .array(createChapterBody.extend({ id: rowId }))
      .max(CHAPTERS_MAX)
      .optional(),
  }),
  bodyMaxBytes: TIMELINE_BODY_MAX_BYTES,
  status: 200,
  response: chapterListSchema,
  current: chapterListSchema,
  audit: {
    action: 'chapter.save',
    fields: ['data'],
    before: async (tx, _accountId, { id: videoId }) =>
      auditedChapters(await chaptersOf(tx, videoId)),
    after: auditedChapters,
  },
  errors: ['invalid_chapter_range', 'chapter_overlap', 'too_many_chapters', 'stale_edit'],
  handle({ deps, accountId, params: { id: videoId }, body, commit }) {
    const saved = commit(async (tx) => {
      const { chapters: changed, deleted_ids: deleted, from } = body
      await saveChapters(tx, accountId, videoId, { chapters: changed, deletedIds: deleted, from })
      return chaptersOf(tx, videoId)
    })
    return refuseStale(saved, () => chaptersOf(deps.db.em.fork(), videoId))
  },
})

const momentFacts = { label: text({ maxLength: LABEL_MAX_LENGTH }), timestamp: seconds }

const moments = z
  .array(z.strictObject({ ...momentFacts, id }))
  .max(MOMENTS_MAX)
  .refine(isUnique, ONCE)
  .meta({ description: 'The moments that are new or changed. All others stay.' })

const momentsOf = async (em: EntityManager, videoId: string) =>
  wholeListView(await listMoments(em, videoId), momentView, `/v1/videos/${videoId}/moments`)

/** What the audit log shows of moments. */
const auditedMoments = ({ data }: z.output<typeof momentListSchema>) => ({
  data: data.map((one) => ({ id: one.id, label: one.label, timestamp: one.timestamp })),
})

const changeMoments = operation({
  id: 'saveMoments',
  method: 'patch',
  path: '/videos/{id}/moments',
  tag: 'Moments',
  summary: 'Create, change and delete several moments at once',
  description:
    'All or none. `param` of an error names the moment, such as `moments.2.timestamp`.' + STALE,
  scope: 'videos:write',
  params,
  body: z.strictObject({
    moments,
    deleted_ids: deletedIds,
    from: z
      .array(z.strictObject({ ...momentFacts, id: rowId }))
      .max(MOMENTS_MAX)
      .optional(),
  }),
  bodyMaxBytes: TIMELINE_BODY_MAX_BYTES,
  status: 200,
  response: momentListSchema,
  current: momentListSchema,
  audit: {
    action: 'moment.save',
    fields: ['data'],
    before: async (tx, _accountId, { id: videoId }) => auditedMoments(await momentsOf(tx, videoId)),
    after: auditedMoments,
  },
  errors: ['moment_exists', 'too_many_moments', 'stale_edit'],
  handle({ deps, accountId, params: { id: videoId }, body, commit }) {
    const saved = commit(async (tx) => {
      const { moments: changed, deleted_ids: deleted, from } = body
      await saveMoments(tx, accountId, videoId, { moments: changed, deletedIds: deleted, from })
      return momentsOf(tx, videoId)
    })
    return refuseStale(saved, () => momentsOf(deps.db.em.fork(), videoId))
  },
})

export const timelineOperations = [changeChapters, changeMoments]
