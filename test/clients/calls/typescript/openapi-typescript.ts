// The calls of expected-calls.ts with openapi-fetch and the types of openapi-typescript.
import { openAsBlob } from 'node:fs'
import createClient from 'openapi-fetch'
import type { paths } from './generated/schema.ts'
import { ended, given, matchesOf, present, show, showRefusal } from './show.ts'

const baseUrl = given('API_BASE')
const clientOf = (key: string) =>
  createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })
const client = clientOf(given('API_KEY'))
const path = { id: given('VIDEO_ID') }
const body = { name: given('NAME') }

const videos = present((await client.GET('/v1/videos')).data)
const [failed, ready] = videos.data
show('listVideos', videos.data.length, videos.has_more, failed?.error?.code, ready?.error)
const video = present((await client.GET('/v1/videos/{id}', { params: { path } })).data)
show('getVideo', video.status, video.size_bytes > 0, video.resolutions, video.folder_id)
const status = present((await client.GET('/v1/videos/{id}/status', { params: { path } })).data)
show('getVideoStatus', status.status, status.duration, status.progress?.percent)
const title = { params: { path }, body: { title: body.name } }
show('updateVideo', (await client.PATCH('/v1/videos/{id}', title)).data?.title)
const own = {
  external_id: body.name,
  tags: ['Algebra', 'Year 7'],
  metadata: { course: '7', teacher: 'Ada' },
}
const owned = present((await client.PATCH('/v1/videos/{id}', { params: { path }, body: own })).data)
show('setOwnData', owned.external_id, owned.tags, owned.metadata)
const removal = { params: { path }, body: { metadata: { teacher: null } } }
show('removeOwnData', (await client.PATCH('/v1/videos/{id}', removal)).data?.metadata)
const filters = {
  external_id: body.name,
  tag: ['algebra', 'year 7'],
  title: 'made',
  'duration[gte]': 1,
  'created[gte]': '2020-01-01T00:00:00Z',
  sort: 'title' as const,
}
const found = present((await client.GET('/v1/videos', { params: { query: filters } })).data)
show('findVideos', found.data.length, found.data[0]?.id, found.next_cursor !== null)
const byMetadata = { params: { query: { metadata: { course: '7' } } } }
const ofCourse = present((await client.GET('/v1/videos', byMetadata)).data)
show('findVideosByMetadata', ofCourse.data.length, ofCourse.data[0]?.id)
const pageAfter = async (cursor?: string) => {
  const query = { sort: 'title' as const, limit: 1, starting_after: cursor }
  return present((await client.GET('/v1/videos', { params: { query } })).data)
}
const page = await pageAfter()
const next = await pageAfter(present(page.next_cursor))
const differ = page.data[0]?.id !== next.data[0]?.id
show('nextPage', page.data.length, page.has_more, next.data.length, next.has_more, differ)
const said = { params: { query: { q: 'energy' } } }
const moments = present((await client.GET('/v1/search', said)).data).data
const moment = present(moments[0])
const { video: spoken, caption, start_seconds, snippet } = moment
const matches = matchesOf(snippet)
show('search', moments.length, spoken.id, caption.language_code, start_seconds, matches)

const line = { external_id: body.name, source_url: given('SILENT_URL') }
const begun = await client.POST('/v1/imports', { body: { lines: [line], at_once: 1 } })
const created = present(begun.data)
show('createImport', created.state, created.line_count, created.bucket)
const ofImport = { params: { path: { id: created.id } } }
const done = await ended(async () => present((await client.GET('/v1/imports/{id}', ofImport)).data))
show('getImport', done.state, done.lines.exists, done.lines.failed)
const ofLines = present((await client.GET('/v1/imports/{id}/lines', ofImport)).data)
const first = present(ofLines.data[0])
show('listImportLines', first.number, first.state, first.external_id, first.video_id, first.error)
const silent = { body: { lines: [{ source_url: given('SILENT_URL') }], at_once: 1 } }
const waiting = present((await client.POST('/v1/imports', silent)).data)
const ofWaiting = { params: { path: { id: waiting.id } } }
const cancelled = present((await client.POST('/v1/imports/{id}/cancel', ofWaiting)).data)
show('cancelImport', cancelled.state, cancelled.lines.cancelled)

const picture = await openAsBlob(given('PICTURE'))
const sent = await client.POST('/v1/videos/{id}/poster/upload', {
  params: { path },
  headers: { 'Content-Type': 'application/octet-stream' },
  body: '',
  bodySerializer: () => picture,
})
const poster = present(sent.data)
show('uploadPoster', poster.status, poster.format, poster.size_bytes)
const ofPoster = await client.GET('/v1/videos/{id}/poster/upload', { params: { path } })
show('getPosterUpload', ofPoster.data?.id, ofPoster.data?.reason)

const folder = present((await client.POST('/v1/folders', { body })).data)
show('createFolder', folder.name, folder.parent_id)
const folders = present((await client.GET('/v1/folders')).data)
show('listFolders', folders.data[0]?.name, folders.data[0]?.video_count)
const receiver = { url: given('RECEIVER_URL'), events: ['video.ready' as const] }
const made = await client.POST('/v1/webhook-endpoints', { body: receiver })
const endpoint = present(made.data)
show('createWebhookEndpoint', endpoint.is_active, endpoint.disabled_reason, endpoint.secret !== '')
const ofType = { params: { query: { type: 'video.ready' as const } } }
const event = present((await client.GET('/v1/events', ofType)).data?.data[0])
if (event.type === 'video.ready') show('listEvents', event.type, event.data.id)
const usage = present((await client.GET('/v1/usage')).data)
show('getUsage', usage.encoding.minutes, usage.storage.limit_bytes)

const stranger = await clientOf('rg_live_unknown').GET('/v1/videos')
showRefusal('invalid_api_key', stranger.response.status, present(stranger.error))
const unknown = { params: { path: { id: '0'.repeat(20) } } }
const missing = await client.GET('/v1/videos/{id}', unknown)
showRefusal('video_not_found', missing.response.status, present(missing.error))
const again = await client.POST('/v1/folders', { body })
showRefusal('folder_exists', again.response.status, present(again.error))
const nowhere = { params: { path }, body: { folder_id: 999_999_999 } }
const moved = await client.PATCH('/v1/videos/{id}', nowhere)
showRefusal('folder_not_found', moved.response.status, present(moved.error))
const backwards = { params: { path }, body: { title: body.name, start: 3, end: 2 } }
const chapter = await client.POST('/v1/videos/{id}/chapters', backwards)
showRefusal('invalid_chapter_range', chapter.response.status, present(chapter.error))
const another = { params: { path: { id: failed?.id ?? '' } }, body: { external_id: body.name } }
const taken = await client.PATCH('/v1/videos/{id}', another)
showRefusal('external_id_taken', taken.response.status, present(taken.error))

const inPath = { params: { path: { id: folder.id } } }
const deleted = present((await client.DELETE('/v1/folders/{id}', inPath)).data)
show('deleteFolder', deleted.id === folder.id, deleted.deleted)
