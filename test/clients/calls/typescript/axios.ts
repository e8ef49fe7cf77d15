// The calls of expected-calls.ts with the typescript-axios client of OpenAPI Generator.
import { readFile } from 'node:fs/promises'
import { isAxiosError } from 'axios'
import {
  AccountApi,
  ChaptersApi,
  Configuration,
  EventsApi,
  FoldersApi,
  ImportsApi,
  PostersApi,
  SearchApi,
  VideosApi,
  WebhooksApi,
  type ModelError as ErrorBody,
} from './generated/index.ts'
import { ended, given, matchesOf, present, show, showRefusal } from './show.ts'

const basePath = given('API_BASE')
const configuration = new Configuration({ basePath, accessToken: given('API_KEY') })
const videosApi = new VideosApi(configuration)
const foldersApi = new FoldersApi(configuration)
const importsApi = new ImportsApi(configuration)
const postersApi = new PostersApi(configuration)
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
const { data: video } = await videosApi.getVideo({ id })
show('getVideo', video.status, video.size_bytes > 0, video.resolutions, video.folder_id)
const { data: status } = await videosApi.getVideoStatus({ id })
show('getVideoStatus', status.status, status.duration, status.progress?.percent)
const { data: titled } = await videosApi.updateVideo({ id, updateVideoRequest: { title: name } })
show('updateVideo', titled.title)

const own = {
  external_id: name,
  tags: ['Algebra', 'Year 7'],
  metadata: { course: '7', teacher: 'Ada' },
}
const { data: owned } = await videosApi.updateVideo({ id, updateVideoRequest: own })
show('setOwnData', owned.external_id, owned.tags, owned.metadata)
const removal = { id, updateVideoRequest: { metadata: { teacher: '' } } }
show('removeOwnData', (await videosApi.updateVideo(removal)).data.metadata)
const filters = {
  externalId: name,
  tag: ['algebra', 'year 7'],
  title: 'made',
  durationGte: 1,
  createdGte: '2020-01-01T00:00:00Z',
  sort: 'title' as const,
}
const { data: found } = await videosApi.listVideos(filters)
show('findVideos', found.data.length, found.data[0]?.id, found.next_cursor !== null)
const pageAfter = async (startingAfter?: string) =>
  (await videosApi.listVideos({ sort: 'title', limit: 1, startingAfter })).data
const page = await pageAfter()
const next = await pageAfter(present(page.next_cursor))
const differ = page.data[0]?.id !== next.data[0]?.id
show('nextPage', page.data.length, page.has_more, next.data.length, next.has_more, differ)
const { data: moments } = (await new SearchApi(configuration).search({ q: 'energy' })).data
const { video: spoken, caption, start_seconds, snippet } = present(moments[0])
const matches = matchesOf(snippet)
show('search', moments.length, spoken.id, caption.language_code, start_seconds, matches)

const source_url = given('SILENT_URL')
const importOf = async (external_id: string | null) => {
  const createImportRequest = { lines: [{ external_id, source_url }], at_once: 1 }
  return (await importsApi.createImport({ createImportRequest })).data
}
const created = await importOf(name)
show('createImport', created.state, created.line_count, created.bucket)
const done = await ended(async () => (await importsApi.getImport({ id: created.id })).data)
show('getImport', done.state, done.lines.exists, done.lines.failed)
const { data: lines } = (await importsApi.listImportLines({ id: created.id })).data
const first = present(lines[0])
show('listImportLines', first.number, first.state, first.external_id, first.video_id, first.error)
const { data: cancelled } = await importsApi.cancelImport({ id: (await importOf(null)).id })
show('cancelImport', cancelled.state, cancelled.lines.cancelled)

const body = new File([await readFile(given('PICTURE'))], 'poster.png')
const { data: poster } = await postersApi.uploadPoster({ id, body })
show('uploadPoster', poster.status, poster.format, poster.size_bytes)
const { data: ofPoster } = await postersApi.getPosterUpload({ id })
show('getPosterUpload', ofPoster.id, ofPoster.reason)

const { data: folder } = await foldersApi.createFolder({ createFolderRequest: { name } })
show('createFolder', folder.name, folder.parent_id)
const { data: folders } = await foldersApi.listFolders()
show('listFolders', folders.data[0]?.name, folders.data[0]?.video_count)
const createWebhookEndpointRequest = {
  url: given('RECEIVER_URL'),
  events: ['video.ready' as const],
}
const webhooksApi = new WebhooksApi(configuration)
const { data: endpoint } = await webhooksApi.createWebhookEndpoint({ createWebhookEndpointRequest })
show('createWebhookEndpoint', endpoint.is_active, endpoint.disabled_reason, endpoint.secret !== '')
const { data: events } = await new EventsApi(configuration).listEvents({ type: 'video.ready' })
const event = present(events.data[0])
if (event.type === 'video.ready') show('listEvents', event.type, event.data.id)
const { data: usage } = await new AccountApi(configuration).getUsage()
show('getUsage', usage.encoding.minutes, usage.storage.limit_bytes)

const strange = new Configuration({ basePath, accessToken: 'rg_live_unknown' })
await showRefused('invalid_api_key', new VideosApi(strange).listVideos())
await showRefused('video_not_found', videosApi.getVideo({ id: '0'.repeat(20) }))
await showRefused('folder_exists', foldersApi.createFolder({ createFolderRequest: { name } }))
const nowhere = { folder_id: 999_999_999 }
await showRefused('folder_not_found', videosApi.updateVideo({ id, updateVideoRequest: nowhere }))
const createChapterRequest = { title: name, start: 3, end: 2 }
const chaptersApi = new ChaptersApi(configuration)
await showRefused('invalid_chapter_range', chaptersApi.createChapter({ id, createChapterRequest }))
const taken = { id: failed?.id ?? '', updateVideoRequest: { external_id: name } }
await showRefused('external_id_taken', videosApi.updateVideo(taken))

const { data: deleted } = await foldersApi.deleteFolder({ id: folder.id })
show('deleteFolder', deleted.id === folder.id, deleted.deleted)
