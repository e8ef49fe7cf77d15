// Ten calls and five refused ones with the typescript-axios client of OpenAPI Generator.
import { isAxiosError } from 'axios'
import {
  AccountApi,
  ChaptersApi,
  Configuration,
  EventsApi,
  FoldersApi,
  VideosApi,
  WebhooksApi,
  type ModelError as ErrorBody,
} from './generated/index.ts'
import { given, present, show, showRefusal } from './show.ts'

const basePath = given('API_BASE')
const configuration = new Configuration({ basePath, accessToken: given('API_KEY') })
const videosApi = new VideosApi(configuration)
const foldersApi = new FoldersApi(configuration)
const id = given('VIDEO_ID')
const name = given('NAME')

async function showRefused(call: string, response: Promise<unknown>): Promise<void> {
  try {
    await response
  } catch (error) {
    if (!isAxiosError<ErrorBody>(error)) throw error
    showRefusal(call, error.response?.status, present(error.response?.data))
  }
}

const { data: videos } = await videosApi.listVideos()
const [failed, ready] = videos.data
show('listVideos', videos.data.length, videos.has_more, failed?.error?.code, ready?.error)
const { data: video } = await videosApi.getVideo(id)
show('getVideo', video.status, video.size_bytes, video.resolutions, video.folder_id)
const { data: status } = await videosApi.getVideoStatus(id)
show('getVideoStatus', status.status, status.duration, status.progress?.percent)
show(
  'updateVideo',
  (await videosApi.updateVideo(id, undefined, undefined, { title: name })).data.title,
)
const { data: folder } = await foldersApi.createFolder({ name })
show('createFolder', folder.name, folder.parent_id)
const { data: folders } = await foldersApi.listFolders()
show('listFolders', folders.data[0]?.name, folders.data[0]?.video_count)
const receiver = { url: given('RECEIVER_URL'), events: ['video.ready' as const] }
const webhooksApi = new WebhooksApi(configuration)
const { data: endpoint } = await webhooksApi.createWebhookEndpoint(receiver)
show('createWebhookEndpoint', endpoint.is_active, endpoint.disabled_reason, endpoint.secret !== '')
const { data: events } = await new EventsApi(configuration).listEvents('video.ready')
const event = present(events.data[0])
if (event.type === 'video.ready') show('listEvents', event.type, event.data.id)
const { data: usage } = await new AccountApi(configuration).getUsage()
show('getUsage', usage.encoding.minutes, usage.storage.limit_bytes)

const strange = new Configuration({ basePath, accessToken: 'rg_live_unknown' })
await showRefused('invalid_api_key', new VideosApi(strange).listVideos())
await showRefused('video_not_found', videosApi.getVideo('0'.repeat(20)))
await showRefused('folder_exists', foldersApi.createFolder({ name }))
await showRefused(
  'folder_not_found',
  videosApi.updateVideo(id, undefined, undefined, { folder_id: 999_999_999 }),
)
const chapter = { title: name, start: 3, end: 2 }
await showRefused(
  'invalid_chapter_range',
  new ChaptersApi(configuration).createChapter(id, chapter),
)

const { data: deleted } = await foldersApi.deleteFolder(folder.id)
show('deleteFolder', deleted.id === folder.id, deleted.deleted)
