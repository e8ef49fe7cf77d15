// Ten calls and five refused ones with the client of Hey API.
import { createClient } from './generated/client/index.ts'
import * as api from './generated/sdk.gen.ts'
import { given, present, show, showRefusal } from './show.ts'

const clientOf = (auth: string) => createClient({ baseUrl: given('API_BASE'), auth })
const client = clientOf(given('API_KEY'))
const path = { id: given('VIDEO_ID') }
const body = { name: given('NAME') }

const videos = present((await api.listVideos({ client })).data)
const [failed, ready] = videos.data
show('listVideos', videos.data.length, videos.has_more, failed?.error?.code, ready?.error)
const video = present((await api.getVideo({ client, path })).data)
show('getVideo', video.status, video.size_bytes, video.resolutions, video.folder_id)
const status = present((await api.getVideoStatus({ client, path })).data)
show('getVideoStatus', status.status, status.duration, status.progress?.percent)
const titled = await api.updateVideo({ client, path, body: { title: body.name } })
show('updateVideo', titled.data?.title)
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

const deleted = present((await api.deleteFolder({ client, path: { id: folder.id } })).data)
show('deleteFolder', deleted.id === folder.id, deleted.deleted)
