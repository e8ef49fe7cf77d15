// Ten calls and five refused ones with openapi-fetch and the types of openapi-typescript.
import createClient from 'openapi-fetch'
import type { paths } from './generated/schema.ts'
import { given, present, show, showRefusal } from './show.ts'

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
show('getVideo', video.status, video.size_bytes, video.resolutions, video.folder_id)
const status = present((await client.GET('/v1/videos/{id}/status', { params: { path } })).data)
show('getVideoStatus', status.status, status.duration, status.progress?.percent)
const title = { params: { path }, body: { title: body.name } }
show('updateVideo', (await client.PATCH('/v1/videos/{id}', title)).data?.title)
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

const inPath = { params: { path: { id: folder.id } } }
const deleted = present((await client.DELETE('/v1/folders/{id}', inPath)).data)
show('deleteFolder', deleted.id === folder.id, deleted.deleted)
