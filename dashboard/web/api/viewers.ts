import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { apiOf, unwrap, unwrapJson } from './client.ts'
import { cursorsOf, type Cursors } from './cursors.ts'
import type { components } from './schema.ts'
import type { SearchCursors } from './search-cursors.ts'

export type Viewer = components['schemas']['Viewer']
export type ViewerSession = components['schemas']['ViewerSession']
export type ViewerProgress = components['schemas']['ViewerProgress']

const PER_PAGE = 25
const PER_EXPORT_PAGE = 100
/** The most rows of one file. */
export const EXPORTED_ROWS_MAX = 5000
const FRESH_MS = 60_000
const CSV = { headers: { Accept: 'text/csv' }, parseAs: 'text' } as const
const shared = { placeholderData: keepPreviousData, staleTime: FRESH_MS } as const

/** Below the numbers of a video there are fewer. */
const PER_PART = 10

const pageOf = (cursors: Cursors, limit = PER_PAGE) => ({ limit, ...cursorsOf(cursors) })

/** Reads a list as CSV, page by page. Each page begins with the names of the columns, and each row with its cursor. */
async function readRows(
  read: (page: { limit: number; starting_after?: number }) => Promise<string>,
): Promise<string> {
  let csv = ''
  let after: number | undefined
  for (let count = 0; count < EXPORTED_ROWS_MAX; count += PER_EXPORT_PAGE) {
    const page = await read({ limit: PER_EXPORT_PAGE, starting_after: after })
    csv += csv === '' ? page : page.slice(page.indexOf(LINE_END) + LINE_END.length)
    const lines = page.split(LINE_END)
    // The names, the rows, and nothing after the last one.
    if (lines.length < PER_EXPORT_PAGE + 2) break
    after = Number.parseInt(lines.at(-2) ?? '')
  }
  return csv
}

const LINE_END = '\r\n'

/** A page of the viewers of the account whose ids begin with a text. */
export const countedViewersQuery = (account: string, { q, ...cursors }: SearchCursors) =>
  queryOptions({
    queryKey: ['counted-viewers', account, { q, ...cursors }],
    queryFn: ({ signal }) => {
      const query = { prefix: q, ...pageOf(cursors) }
      return unwrapJson(apiOf(account).GET('/v1/viewers', { params: { query }, signal }))
    },
    ...shared,
  })

export const countedViewersCsv = (account: string, q: string | undefined) =>
  readRows((page) =>
    unwrap(
      apiOf(account).GET('/v1/viewers', { params: { query: { prefix: q, ...page } }, ...CSV }),
    ),
  )

/** A viewer; null for one who has played nothing that is counted. */
export const viewerQuery = (account: string, viewer: string) =>
  queryOptions({
    queryKey: ['viewer', account, viewer],
    async queryFn({ signal }) {
      const query = { viewer_id: viewer }
      const list = await unwrapJson(
        apiOf(account).GET('/v1/viewers', { params: { query }, signal }),
      )
      return list.data[0] ?? null
    },
    staleTime: FRESH_MS,
  })

/** The last playback sessions of a viewer. */
export const viewerSessionsQuery = (account: string, viewer: string) =>
  queryOptions({
    queryKey: ['viewer-sessions', account, viewer],
    async queryFn({ signal }) {
      const query = { viewer_id: viewer }
      return (await unwrap(apiOf(account).GET('/viewers/sessions', { params: { query }, signal })))
        .data
    },
    ...shared,
  })

/** What progress is listed: of a viewer, or of a video. */
type ProgressOf = { viewer_id: string } | { video_id: string }

const progressQuery = (account: string, of: ProgressOf, cursors: Cursors, limit: number) =>
  queryOptions({
    queryKey: ['viewer-progress', account, of, cursors],
    queryFn: ({ signal }) => {
      const query = { ...of, ...pageOf(cursors, limit) }
      return unwrapJson(apiOf(account).GET('/v1/viewer-progress', { params: { query }, signal }))
    },
    ...shared,
  })

const progressCsv = (account: string, of: ProgressOf) =>
  readRows((page) =>
    unwrap(
      apiOf(account).GET('/v1/viewer-progress', { params: { query: { ...of, ...page } }, ...CSV }),
    ),
  )

/** A page of the videos that a viewer has played. */
export const viewerProgressQuery = (account: string, viewer: string, cursors: Cursors) =>
  progressQuery(account, { viewer_id: viewer }, cursors, PER_PAGE)

export const viewerProgressCsv = (account: string, viewer: string) =>
  progressCsv(account, { viewer_id: viewer })

/** A page of the viewers of a video. */
export const videoViewersQuery = (account: string, video: string, cursors: Cursors) =>
  progressQuery(account, { video_id: video }, cursors, PER_PART)

export const videoViewersCsv = (account: string, video: string) =>
  progressCsv(account, { video_id: video })
