// The calls of expected-calls.ts with the client of Hey API.
import { openAsBlob } from 'node:fs'
import { createClient } from './generated/client/index.ts'
import * as api from './generated/sdk.gen.ts'
import { ended, given, matchesOf, present, show, showRefusal } from './show.ts'

const clientOf = (auth: string) => createClient({ baseUrl: given('API_BASE'), auth })
const client = clientOf(given('API_KEY'))
const path = { id: given('VIDEO_ID') }
const body = { name: given('NAME') }

const videos = present((await api.listVideos({ client })).data)
const [failed, ready] = videos.data
show('listVideos', videos.data.length, videos.has_more, failed?.error?.code, ready?.error)
const video = present((await api.getVideo({ client, path })).data)
show('getVideo', video.status, video.size_bytes > 0, video.resolutions, video.folder_id)
const status = present((await api.getVideoStatus({ client, path })).data)
show('getVideoStatus', status.status, status.duration, status.progress?.percent)
const titled = await api.updateVideo({ client, path, body: { title: body.name } })
show('updateVideo', titled.data?.title)
const own = {
  external_id: body.name,
  tags: ['Algebra', 'Year 7'],
  metadata: { course: '7', teacher: 'Ada' },
}
const owned = present((await api.updateVideo({ client, path, body: own })).data)
show('setOwnData', owned.external_id, owned.tags, owned.metadata)
const removal = { metadata: { teacher: null } }
show('removeOwnData', (await api.updateVideo({ client, path, body: removal })).data?.metadata)
const filters = {
  external_id: body.name,
  tag: ['algebra', 'year 7'],
  title: 'made',
  'duration[gte]': 1,
  'created[gte]': '2020-01-01T00:00:00Z',
  sort: 'title' as const,
}
const found = present((await api.listVideos({ client, query: filters })).data)
show('findVideos', found.data.length, found.data[0]?.id, found.next_cursor !== null)
const byMetadata = { metadata: { course: '7' } }
const ofCourse = present((await api.listVideos({ client, query: byMetadata })).data)
show('findVideosByMetadata', ofCourse.data.length, ofCourse.data[0]?.id)
const pageAfter = async (cursor?: string) => {
  const query = { sort: 'title' as const, limit: 1, starting_after: cursor }
  return present((await api.listVideos({ client, query })).data)
}
const page = await pageAfter()
const next = await pageAfter(present(page.next_cursor))
const differ = page.data[0]?.id !== next.data[0]?.id
show('nextPage', page.data.length, page.has_more, next.data.length, next.has_more, differ)
const moments = present((await api.search({ client, query: { q: 'energy' } })).data).data
const moment = present(moments[0])
const { video: spoken, caption, start_seconds, snippet } = moment
const matches = matchesOf(snippet)
show('search', moments.length, spoken.id, caption.language_code, start_seconds, matches)

const source_url = given('SILENT_URL')
const lines = [{ external_id: body.name, source_url }]
const created = present((await api.createImport({ client, body: { lines, at_once: 1 } })).data)
show('createImport', created.state, created.line_count, created.bucket)
const ofImport = { client, path: { id: created.id } }
const done = await ended(async () => present((await api.getImport(ofImport)).data))
show('getImport', done.state, done.lines.exists, done.lines.failed)
const first = present((await api.listImportLines(ofImport)).data?.data[0])
show('listImportLines', first.number, first.state, first.external_id, first.video_id, first.error)
const silent = { lines: [{ source_url }], at_once: 1 }
const waiting = present((await api.createImport({ client, body: silent })).data)
const ofWaiting = { client, path: { id: waiting.id } }
const cancelled = present((await api.cancelImport(ofWaiting)).data)
show('cancelImport', cancelled.state, cancelled.lines.cancelled)

const picture = await openAsBlob(given('PICTURE'))
const poster = present((await api.uploadPoster({ client, path, body: picture })).data)
show('uploadPoster', poster.status, poster.format, poster.size_bytes)
const ofPoster = present((await api.getPosterUpload({ client, path })).data)
show('getPosterUpload', ofPoster.id, ofPoster.reason)

const folder = present((await api.createFolder({ client, body })).data)
show('createFolder', folder.name, folder.parent_id)
const folders = present((await api.listFolders({ client })).data)
show('listFolders', folders.data[0]?.name, folders.data[0]?.video_count)
const receiver = { url: given('RECEIVER_URL'), events: ['video.ready' as const] }
const endpoint = present((await api.createWebhookEndpoint({ client, body: receiver })).data)
show('createWebhookEndpoint', endpoint.is_active, endpoint.disabled_reason, endpoint.secret !== '')
const events = await api.listEvents({ client, query: { type: 'video.ready' } })
const event = present(events.data?.data[0])
if (event.type === 'video.ready') show('listEvents', event.type, event.data.id)
const usage = present((await api.getUsage({ client })).data)
show('getUsage', usage.encoding.minutes, usage.storage.limit_bytes)

const stranger = await api.listVideos({ client: clientOf('rg_live_unknown') })
showRefusal('invalid_api_key', stranger.response?.status, present(stranger.error))
const missing = await api.getVideo({ client, path: { id: '0'.repeat(20) } })
showRefusal('video_not_found', missing.response?.status, present(missing.error))
const again = await api.createFolder({ client, body })
showRefusal('folder_exists', again.response?.status, present(again.error))
const moved = await api.updateVideo({ client, path, body: { folder_id: 999_999_999 } })
showRefusal('folder_not_found', moved.response?.status, present(moved.error))
const backwards = { title: body.name, start: 3, end: 2 }
const chapter = await api.createChapter({ client, path, body: backwards })
showRefusal('invalid_chapter_range', chapter.response?.status, present(chapter.error))
const another = { id: failed?.id ?? '' }
const same = { external_id: body.name }
const taken = await api.updateVideo({ client, path: another, body: same })
showRefusal('external_id_taken', taken.response?.status, present(taken.error))

const deleted = present((await api.deleteFolder({ client, path: { id: folder.id } })).data)
show('deleteFolder', deleted.id === folder.id, deleted.deleted)
