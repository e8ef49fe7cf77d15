import { readStorage } from '../../db/accounts/accounts.ts'
import { readEncoding, readVideoFacts, readWatched } from '../../db/accounts/activity.ts'
import { listFailingEndpoints } from '../../db/accounts/failing-endpoints.ts'
import { listDeliveriesOfVideo } from '../../db/accounts/operator.ts'
import { readFailedVideos, readFirstSteps } from '../../db/accounts/overview.ts'
import type { Database, EntityManager } from '../../db/database.ts'
import { readDeliveryBacklog } from '../../db/ingest/backlog.ts'
import {
  findUnfinishedDeliveries,
  findUnfinishedVideos,
  findUnremovedVideos,
} from '../../db/outbox/outbox-sweep.ts'
import { findPlayback } from '../../db/playback/playback.ts'
import { queries } from '../../db/queries.ts'
import { findExpiredDeliveries } from '../../db/upkeep/retention.ts'
import { expiredRecords } from '../../db/upkeep/write-expired-records.ts'
import { deleteExpiredEvents } from '../../db/upkeep/write-retention.ts'
import { findPositionOf, findVideos, type VideoPageRequest } from '../../db/videos/find-videos.ts'
import { findVideoDetails } from '../../db/videos/video-details.ts'
import { countMatches } from '../../db/videos/video-matches.ts'
import type { VideoPosition, VideoQuery } from '../../db/videos/video-query.ts'
import { findVideosById } from '../../db/videos/videos.ts'
import { listEvents } from '../../db/webhooks/events.ts'
import { listDeliveries, listDeliverySummaries } from '../../db/webhooks/webhook-deliveries.ts'
import { DEFAULT_RETENTION } from '../../domain/retention.ts'
import { recordHeartbeat } from '../../test/fixtures/record-heartbeat.ts'
import type { FillTarget } from './fill.ts'

/** Something that a process does again and again, as the functions of `db/` do it. */
export interface Operation {
  name: string
  run: (db: Database) => Promise<unknown>
  /** An index that serves it without the rows of the table. */
  aloneIndex?: string
  /** Why its cost grows with the installation; it has no budget then. */
  grows?: string
}

/** Rows in the middle of the lists of the largest account. */
interface Middle {
  videoId: string
  /** The place of the video in the list. */
  position: VideoPosition
  deliveryId: number
  eventId: string
  /** When the delivery was created. */
  createdAt: Date
}

const PAGE = { limit: 25 }
const VIDEO_PAGE: VideoPageRequest = { ...PAGE, sort: '-created' }
const LIST_INDEX = 'video_account_search'

/** Returns the operations on a filled database. */
export async function operationsOn(
  db: Database,
  { accountIds: [large, , small] }: FillTarget,
): Promise<Operation[]> {
  const middle = await findMiddle(db.em.fork(), large)
  const from = (name: string, run: (em: EntityManager) => Promise<unknown>, more = {}) => ({
    name,
    run: (each: Database) => run(each.em.fork()),
    ...more,
  })
  return [
    ...videoLists(from, { large, small, middle }),
    ...deliveryLists(from, { large, small, middle }),
    ...playing({ large, middle }),
    ...upkeep(from),
    from('storage of an account with a limit', (em) => readStorage(em, large)),
    from('videos of an account, counted', (em) => countMatches(em, { accountId: large })),
  ]
}

type From = (
  name: string,
  run: (em: EntityManager) => Promise<unknown>,
  more?: Partial<Operation>,
) => Operation
interface Known {
  large: number
  small: number
  middle: Middle
}

const videoLists = (from: From, { large, small, middle }: Known): Operation[] => {
  const list = (
    name: string,
    query: Partial<VideoQuery>,
    request: Partial<VideoPageRequest> = {},
    more = {},
  ) =>
    from(
      name,
      (em) => findVideos(em, { accountId: large, ...query }, { ...VIDEO_PAGE, ...request }),
      more,
    )
  return [
    list('videos, first page', {}, {}, { aloneIndex: LIST_INDEX }),
    list(
      'videos, a page in the middle',
      {},
      { after: middle.position },
      { aloneIndex: LIST_INDEX },
    ),
    list('videos that failed', { status: 'failed' }),
    list('videos of which none has the status', { status: 'playable' }),
    list(
      'videos by a part of the title',
      { titlePart: 'c4ca4238' },
      {},
      { grows: 'it reads the list of titles of each trigram' },
    ),
    list('videos of a small account', { accountId: small }, {}, { aloneIndex: LIST_INDEX }),
    from('a video', (em) => findVideoDetails(em, large, middle.videoId)),
    from(
      'overview',
      async (em) => {
        await readFirstSteps(em, large)
        await readFailedVideos(em, large, { days: 1, limit: 5 })
      },
      { grows: 'it counts the videos that failed within a day' },
    ),
    from('overview, what happens now', async (em) => {
      await readVideoFacts(em, large)
      await readEncoding(em, large, 5)
      await readWatched(em, large, { hours: 24, limit: 5 })
      await listFailingEndpoints(em, large)
    }),
  ]
}

function deliveryLists(from: From, { large, small, middle }: Known): Operation[] {
  const { deliveryId, createdAt } = middle
  const until = new Date(createdAt.getTime() + 60_000)
  const list = (
    name: string,
    filter: object,
    period: object = {},
    request: object = {},
    more: Partial<Operation> = {},
  ) =>
    from(
      name,
      (em) => listDeliveries(em, { accountId: large, ...filter }, period, { ...PAGE, ...request }),
      more,
    )
  return [
    list('deliveries, first page', {}),
    list('deliveries, a page in the middle', {}, {}, { startingAfter: deliveryId }),
    list('deliveries that failed long ago', { status: 'failed' }),
    list(
      'deliveries of an old minute',
      {},
      { since: createdAt, until },
      {},
      { grows: 'the minute has a page of deliveries, and had one' },
    ),
    list('failed deliveries of an endpoint', { status: 'failed', endpointId: 1 }),
    list('deliveries of an event', { eventId: middle.eventId }),
    list('deliveries of a small account', { accountId: small }),
    from('deliveries in the dashboard', (em) =>
      listDeliverySummaries(em, { accountId: large }, {}, PAGE),
    ),
    from('events, first page', (em) => listEvents(em, { accountId: large }, PAGE)),
    from('events after one in the middle', (em) =>
      listEvents(em, { accountId: large }, { ...PAGE, endingBefore: middle.eventId }),
    ),
    from('deliveries of a video, for operators', async (em) => {
      const [video] = await findVideosById(em, [middle.videoId])
      if (video) await listDeliveriesOfVideo(em, video, 20)
    }),
  ]
}

const playing = ({ large, middle: { videoId } }: Pick<Known, 'large' | 'middle'>): Operation[] => {
  const session = {
    sessionId: '0f0e0d0c-0000-4000-8000-000000000001',
    videoId,
    accountId: large,
    viewerId: 'viewer-7',
    secretVersion: 1,
    refererHost: 'site.example',
    startedAtMs: Date.now(),
  }
  const report = { positionMs: 1000, watchedMs: 1000, bytesLoaded: 1000 }
  return [
    { name: 'embed page', run: (db) => findPlayback(db, videoId, large, 'viewer-7') },
    { name: 'heartbeat', run: (db) => recordHeartbeat(db, session, null, report) },
  ]
}

const upkeep = (from: From): Operation[] => [
  from('sweep: deliveries', (em) => findUnfinishedDeliveries(em, null, 200)),
  from('sweep: videos', (em) => findUnfinishedVideos(em, null, 200)),
  from('sweep: deletions', (em) => findUnremovedVideos(em, null, 200)),
  from('backlog of deliveries, for metrics', readDeliveryBacklog),
  from('purge: find 500 deliveries', (em) => findExpiredDeliveries(em, 500)),
  from('purge: no event has expired', (em) => deleteExpiredEvents(em, 500)),
  from(
    'purge: ten of each other record',
    async (em) => {
      for (const deleteExpired of expiredRecords(DEFAULT_RETENTION)) await deleteExpired(em, 10)
    },
    { grows: 'it looks at each deleted video whose playback sessions are still kept' },
  ),
]

/** Finds rows in the middle of the lists of an account. */
export async function findMiddle(em: EntityManager, accountId: number): Promise<Middle> {
  const half = async (table: 'video' | 'webhook_delivery') =>
    queries(em)
      .selectFrom(table)
      .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
      .executeTakeFirstOrThrow()
  const { count } = await half('webhook_delivery')
  const delivery = await queries(em)
    .selectFrom('webhook_delivery')
    .select(['id', 'eventId', 'createdAt'])
    .where('accountId', '=', accountId)
    .where('id', '>', Math.floor(count / 2))
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const videos = await half('video')
  const video = await queries(em)
    .selectFrom('video')
    .select('id')
    .where('accountId', '=', accountId)
    .where(
      'id',
      '>',
      Math.floor(videos.count / 2)
        .toString(16)
        .padStart(8, '0'),
    )
    .where('deletedAt', 'is', null)
    .where('status', '=', 'ready')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const { id: deliveryId, eventId, createdAt } = delivery
  const position = await findPositionOf(em, accountId, video.id, VIDEO_PAGE.sort)
  if (!position) throw new Error('the video in the middle is gone')
  return { videoId: video.id, position, deliveryId, eventId, createdAt }
}
