import { z } from 'zod'
import { readVideo, VIDEO_FIELDS } from '../../../api/videos/audit.ts'
import { VIDEO_CURSORS, videoFilters } from '../../../api/videos/list-videos-query.ts'
import { videoIdParameter } from '../../../api/videos/schemas.ts'
import { pageRequestOf, searchOf, videoListView } from '../../../api/videos/search-videos.ts'
import { videoCursor } from '../../../api/videos/video-cursor.ts'
import { deleteVideo } from '../../../commands/videos/delete-video.ts'
import {
  deleteVideos,
  deleteVideosThatMatch,
  editVideos,
} from '../../../commands/videos/many-videos.ts'
import { listRenditions } from '../../../db/accounts/operator.ts'
import { readEmbeddingHosts } from '../../../db/playback/embedding-hosts.ts'
import { searchVideos } from '../../../db/videos/video-search.ts'
import { findVideo } from '../../../db/videos/videos.ts'
import {
  DELETED_VIDEOS_MAX,
  EMBEDDING_HOSTS_MAX,
  SELECTED_VIDEOS_MAX,
  TAG_MAX_LENGTH,
  TAGS_MAX,
} from '../../../domain/limits.ts'
import { orNotFound } from '../../../http/api-error.ts'
import { listQuery } from '../../../http/list.ts'
import { operation, operationFor } from '../../../http/operation.ts'
import { refuseSlow } from '../../../http/refuse-slow.ts'
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
  taggedVideosSchema,
  taggedVideosView,
} from '../../../views/videos/video-selection.ts'
import {
  deletedVideoSchema,
  renditionListSchema,
  renditionView,
  videoId,
} from '../../../views/videos/video.ts'
import { dashboardHostOf, type DashboardDeps } from '../deps.ts'
import { titlePart, toQuery, videoFilter } from './video-filter.ts'

const tag = 'Videos'
const params = { id: videoIdParameter }

const search = operation({
  id: 'searchVideos',
  method: 'get',
  path: '/videos',
  tag,
  summary: 'Search videos, newest first',
  description:
    'As `GET /v1/videos`, with a part of the title and the number of matches. In each order, a page can also begin at the id of a video: at the place that it has now.',
  scope: 'videos:read',
  query: listQuery(videoCursor, { q: titlePart.optional(), ...videoFilters }, VIDEO_CURSORS),
  status: 200,
  response: searchedVideosSchema,
  errors: ['query_too_broad'],
  async handle({ deps, accountId, query }) {
    const em = deps.db.em.fork()
    const request = await pageRequestOf(em, accountId, query, 'current')
    const sought = { ...searchOf(accountId, query), titlePart: query.q }
    const { page, ...counts } = await refuseSlow(searchVideos(em, sought, request))
    return {
      ...videoListView(page, query.sort, deps.embedBase, '/videos'),
      ...searchCounts(counts),
    }
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
const tagList = z.array(text({ maxLength: TAG_MAX_LENGTH, example: 'chemistry' })).max(TAGS_MAX)

const deleteBody = z
  .strictObject({
    ids: ids.optional(),
    filter: videoFilter
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
  errors: ['video_not_found', 'selection_changed', 'query_too_broad'],
  handle({ accountId, body, commit }) {
    const { ids: chosen = [], filter, expected_count: expectedCount = 0 } = body
    return commit(async (tx) => {
      if (!filter) return deletedVideosView(await deleteVideos(tx, accountId, chosen))
      const matching = toQuery(accountId, filter)
      return deletedVideosView(await refuseSlow(deleteVideosThatMatch(tx, matching, expectedCount)))
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
  // The command writes an entry for each video.
  audit: null,
  errors: ['video_not_found', 'folder_not_found'],
  handle({ accountId, caller: { actor }, body: { ids: chosen, folder_id: folderId }, commit }) {
    return commit(async (tx) => {
      await editVideos(tx, { accountId, actor }, chosen, { folderId })
      return movedVideosView(chosen, folderId)
    })
  },
})

const tagMany = operation({
  id: 'tagVideos',
  method: 'post',
  path: '/videos/tags',
  tag,
  summary: 'Add and remove tags of many videos',
  description: `A video that would have more than ${TAGS_MAX} tags stays as it is, and the response names it. A tag that is added and removed is added.`,
  scope: 'videos:write',
  body: z
    .strictObject({ ids, add: tagList.optional(), remove: tagList.optional() })
    .refine(({ add = [], remove: removed = [] }) => add.length + removed.length > 0, {
      path: ['add'],
      message: 'or `remove` is required',
    }),
  status: 200,
  response: taggedVideosSchema,
  // The command writes an entry for each video.
  audit: null,
  errors: ['video_not_found'],
  handle({ accountId, caller: { actor }, body: { ids: chosen, add, remove: removed }, commit }) {
    return commit(async (tx) =>
      taggedVideosView(
        await editVideos(tx, { accountId, actor }, chosen, {
          addedTags: add,
          removedTags: removed,
        }),
      ),
    )
  },
})

// Fixed paths come before `/videos/{id}`, which would refuse them with 405.
export const videoOperations = [
  search,
  removeMany,
  moveMany,
  tagMany,
  renditions,
  whereEmbedded,
  remove,
]
