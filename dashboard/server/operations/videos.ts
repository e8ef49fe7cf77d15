import { z } from 'zod'
import { readVideo, VIDEO_FIELDS } from '../../../api/videos/audit.ts'
import { folderInQuery, NO_FOLDER } from '../../../api/videos/list-videos-query.ts'
import { videoIdParameter } from '../../../api/videos/schemas.ts'
import { deleteVideo } from '../../../commands/videos/delete-video.ts'
import {
  deleteVideos,
  deleteVideosThatMatch,
  moveVideos,
} from '../../../commands/videos/many-videos.ts'
import { listRenditions } from '../../../db/accounts/operator.ts'
import { readEmbeddingHosts } from '../../../db/playback/embedding-hosts.ts'
import { searchVideos } from '../../../db/videos/video-search.ts'
import { findVideo } from '../../../db/videos/videos.ts'
import {
  DELETED_VIDEOS_MAX,
  EMBEDDING_HOSTS_MAX,
  INDEXED_TITLE_PART_LENGTH,
  SELECTED_VIDEOS_MAX,
  SHORT_SEARCH_VIDEOS_MAX,
  TITLE_MAX_LENGTH,
} from '../../../domain/limits.ts'
import { orNotFound } from '../../../http/api-error.ts'
import { listQuery, listResponse, toPage } from '../../../http/list.ts'
import { operation, operationFor } from '../../../http/operation.ts'
import { text } from '../../../http/text.ts'
import { wholeListView } from '../../../views/list.ts'
import { rowId } from '../../../views/values.ts'
import {
  deletedVideosSchema,
  deletedVideosView,
  embeddingHostsSchema,
  embeddingHostsView,
  movedVideosSchema,
  movedVideosView,
  searchCounts,
  searchedVideosSchema,
} from '../../../views/videos/video-selection.ts'
import {
  deletedVideoSchema,
  renditionListSchema,
  renditionView,
  videoId,
  videoStatus,
  videoView,
} from '../../../views/videos/video.ts'
import { dashboardHostOf, type DashboardDeps } from '../deps.ts'

const tag = 'Videos'
const params = { id: videoIdParameter }

const titlePart = text({
  maxLength: TITLE_MAX_LENGTH,
  description: `Part of the title, in any case. One of fewer than ${INDEXED_TITLE_PART_LENGTH} characters is sought in the newest ${SHORT_SEARCH_VIDEOS_MAX} videos.`,
  example: 'opening',
})

const search = operation({
  id: 'searchVideos',
  method: 'get',
  path: '/videos',
  tag,
  summary: 'Search videos, newest first',
  scope: 'videos:read',
  query: listQuery(videoId, {
    q: titlePart.optional(),
    status: videoStatus.optional(),
    folder_id: folderInQuery.optional(),
  }),
  status: 200,
  response: searchedVideosSchema,
  async handle({ deps, accountId, query }) {
    const { q, status, folder_id: folder } = query
    const matching = { titlePart: q, status, folderId: folder === NO_FOLDER ? null : folder }
    const found = await searchVideos(deps.db.em.fork(), { accountId, ...matching }, toPage(query))
    const list = listResponse(found && found.page, query, {
      noun: 'video',
      view: (row) => videoView(row, deps.embedBase),
      url: '/videos',
    })
    return { ...list, ...searchCounts(found ?? { total: 0, byStatus: new Map() }) }
  },
})

const renditions = operation({
  id: 'listRenditions',
  method: 'get',
  path: '/videos/{id}/renditions',
  tag,
  summary: 'List the renditions of a video with their sizes and bit rates',
  scope: 'videos:read',
  params,
  status: 200,
  response: renditionListSchema,
  async handle({ deps, accountId, params: { id } }) {
    const em = deps.db.em.fork()
    orNotFound(await findVideo(em, accountId, id), 'video_not_found')
    const url = `/videos/${id}/renditions`
    return wholeListView(await listRenditions(em, id), renditionView, url)
  },
})

const HOSTS_DAYS = 7

const whereEmbedded = operationFor<DashboardDeps>()({
  id: 'listEmbeddingHosts',
  method: 'get',
  path: '/videos/{id}/where-embedded',
  tag,
  summary: 'The hosts that embedded a video in the last seven days',
  scope: 'videos:read',
  params,
  status: 200,
  response: embeddingHostsSchema,
  async handle({ deps, accountId, params: { id } }) {
    const em = deps.db.em.fork()
    orNotFound(await findVideo(em, accountId, id), 'video_not_found')
    const dashboardHost = dashboardHostOf(deps)
    const most = { days: HOSTS_DAYS, limit: EMBEDDING_HOSTS_MAX, dashboardHost }
    return embeddingHostsView(id, HOSTS_DAYS, await readEmbeddingHosts(em, id, most))
  },
})

const remove = operation({
  id: 'deleteVideoSilently',
  method: 'delete',
  path: '/videos/{id}',
  tag,
  summary: 'Delete a video without an event',
  description: 'As in the API, but the webhook endpoints receive no `video.deleted`.',
  scope: 'videos:write',
  params,
  status: 200,
  response: deletedVideoSchema,
  audit: { action: 'video.delete', fields: VIDEO_FIELDS, before: readVideo },
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) => {
      await deleteVideo(tx, accountId, id, { isSilent: true })
      return { id, object: 'video', deleted: true }
    })
  },
})

const ids = z.array(videoId).min(1).max(SELECTED_VIDEOS_MAX)

const deleteBody = z
  .strictObject({
    ids: ids.optional(),
    filter: z
      .strictObject({
        q: titlePart.optional(),
        status: videoStatus.optional(),
        folder_id: rowId
          .nullable()
          .optional()
          .meta({ description: 'Null: the videos without a folder.' }),
      })
      .optional()
      .meta({ description: 'In place of `ids`: all videos that match.' }),
    expected_count: z
      .int()
      .min(1)
      .max(DELETED_VIDEOS_MAX)
      .optional()
      .meta({ description: 'With `filter`: how many videos match.' }),
  })
  .refine(({ ids: chosen, filter }) => (chosen === undefined) !== (filter === undefined), {
    path: ['ids'],
    message: 'or `filter` is required, and not both',
  })
  .refine(({ filter, expected_count }) => !filter === (expected_count === undefined), {
    path: ['expected_count'],
    message: 'is required with `filter`, and only there',
  })

const removeMany = operation({
  id: 'deleteVideos',
  method: 'post',
  path: '/videos/delete',
  tag,
  summary: 'Delete many videos without events',
  description: 'Deletes all of them or none. Those that are deleted already do not matter.',
  scope: 'videos:write',
  isElevated: true,
  body: deleteBody,
  status: 200,
  response: deletedVideosSchema,
  audit: { action: 'video.delete_many', fields: ['count', 'videos'] },
  errors: ['video_not_found', 'selection_changed'],
  handle({ accountId, body, commit }) {
    const { ids: chosen = [], filter, expected_count: expectedCount = 0 } = body
    return commit(async (tx) => {
      if (!filter) return deletedVideosView(await deleteVideos(tx, accountId, chosen))
      const { q, status, folder_id: folderId } = filter
      const matching = { accountId, titlePart: q, status, folderId }
      return deletedVideosView(await deleteVideosThatMatch(tx, matching, expectedCount))
    })
  },
})

const moveMany = operation({
  id: 'moveVideos',
  method: 'post',
  path: '/videos/move',
  tag,
  summary: 'Move many videos to a folder',
  description: 'Moves all of them or none.',
  scope: 'videos:write',
  body: z.strictObject({
    ids,
    folder_id: rowId.nullable().meta({ description: 'Null removes them from their folders.' }),
  }),
  status: 200,
  response: movedVideosSchema,
  audit: { action: 'video.move_many', fields: ['folder_id', 'ids'] },
  errors: ['video_not_found', 'folder_not_found'],
  handle({ accountId, body: { ids: chosen, folder_id: folderId }, commit }) {
    return commit(async (tx) => {
      await moveVideos(tx, accountId, chosen, folderId)
      return movedVideosView(chosen, folderId)
    })
  },
})

// Fixed paths come before `/videos/{id}`, which would refuse them with 405.
export const videoOperations = [search, removeMany, moveMany, renditions, whereEmbedded, remove]
