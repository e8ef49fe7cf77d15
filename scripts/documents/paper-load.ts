import { planLadder } from '../../domain/encoding/ladder.ts'
import { DELIVERED_KEPT_DAYS, FAILED_KEPT_DAYS } from '../../domain/limits.ts'
import { DEFAULT_RETENTION } from '../../domain/retention.ts'
import { HEARTBEAT_BATCH_MS } from '../../player/server/heartbeats.ts'
import { MOST_BUSY, VIEWER_MEGABITS_PER_SECOND, type Capacity } from './measured-capacity.ts'
import { findFigure, type ScalingRecord } from './scaling-figures.ts'

/** An installation that no machine here can run. What it needs is computed from what was measured. */
export const PAPER_LOAD = {
  videos: 100_000_000,
  /** In which they came, evenly. */
  videoYears: 3,
  minutesPerVideo: 10,
  eventsPerMonth: 1_000_000_000,
  /** Of the deliveries; each event has one. */
  failedShare: 0.01,
  attemptsOfFailed: 5,
  requestsPerEvent: 1,
  viewers: 100_000,
  minutesPerSession: 30,
}

const { videos, videoYears, minutesPerVideo, eventsPerMonth, viewers } = PAPER_LOAD
const DAY_SECONDS = 86_400
const YEAR_DAYS = 365
const MONTH_DAYS = YEAR_DAYS / 12
const WEEK_DAYS = 7
/** Events that are written, and workflows of deliveries that start. */
export const eventsPerSecond = eventsPerMonth / MONTH_DAYS / DAY_SECONDS
const videosPerDay = videos / (videoYears * YEAR_DAYS)
/** Of new video. */
const videoSecondsPerSecond = (videosPerDay * minutesPerVideo * 60) / DAY_SECONDS
const sessionsPerSecond = viewers / (PAPER_LOAD.minutesPerSession * 60)
const ladder = planLadder({ width: 1280, height: 720, availableResolutions: [360, 480, 720] })

/** The rows of a table, as many as are kept. */
export interface PaperRows {
  table: string
  rows: number
  bytes: number
  /** 1 if the table is not partitioned. */
  partitions: number
}

/** How many rows of so many a day are kept, and in how many partitions of `periodDays`. */
function kept(perDay: number, keptDays: number, periodDays: number) {
  const partitions = Math.ceil(keptDays / periodDays) + 1
  return { rows: perDay * (keptDays + periodDays), partitions }
}

/** Returns the rows of the tables that grow, with the bytes of a row that were measured. */
export function paperRows(record: ScalingRecord): PaperRows[] {
  const perDay = eventsPerSecond * DAY_SECONDS
  const { failedShare, attemptsOfFailed } = PAPER_LOAD
  const delivered = kept(perDay * (1 - failedShare), DELIVERED_KEPT_DAYS, WEEK_DAYS)
  const failed = kept(perDay * failedShare, FAILED_KEPT_DAYS, WEEK_DAYS)
  const partitions = delivered.partitions + failed.partitions
  const counts: Record<string, { rows: number; partitions: number }> = {
    video: { rows: videos, partitions: 1 },
    rendition: { rows: videos * ladder.length, partitions: 1 },
    event: kept(perDay, FAILED_KEPT_DAYS, WEEK_DAYS),
    webhook_delivery: { rows: delivered.rows + failed.rows, partitions },
    webhook_attempt: { rows: delivered.rows + failed.rows * attemptsOfFailed, partitions },
    playback_record: kept(
      sessionsPerSecond * DAY_SECONDS,
      DEFAULT_RETENTION.playbackSessionDays,
      MONTH_DAYS,
    ),
  }
  return Object.entries(counts).map(([table, { rows, partitions: count }]) => {
    const { value } = findFigure(record, new RegExp(`^bytes of a row: ${table}$`))
    return { table, rows, bytes: rows * value, partitions: count }
  })
}

/** What PostgreSQL commits in a second for a kind of work. */
export interface PaperCommits {
  work: string
  perSecond: number
  commits: number
}

/** Left out if it was not measured: `npm run bench -- scale` takes a quiet machine for half an hour. */
const COMMITS_OF_VIDEO = 'commits of PostgreSQL for a second of video'

/** Returns what is committed in a second, with the commits of each piece of work that were measured. */
export function paperCommits(record: ScalingRecord, players: number): PaperCommits[] {
  const valueOf = (pattern: RegExp) => findFigure(record, pattern).value
  const rows = (work: string, perSecond: number, commitsOfOne: number) => ({
    work,
    perSecond,
    commits: perSecond * commitsOfOne,
  })
  const ofVideo = record.figures.find(({ figure }) => figure === COMMITS_OF_VIDEO)
  const encoding = ofVideo
    ? [rows('seconds of video that are encoded', videoSecondsPerSecond, ofVideo.value)]
    : []
  const beats = valueOf(/^100000 viewers of a ready video: heartbeats$/) * (viewers / 100_000)
  const batches = Math.min(beats, (players * 1000) / HEARTBEAT_BATCH_MS)
  return [
    rows('events that are written', eventsPerSecond, 1),
    rows('deliveries', eventsPerSecond, valueOf(/^commits of PostgreSQL per delivered webhook$/)),
    { work: 'heartbeats, in batches of each player', perSecond: beats, commits: batches },
    rows('playback sessions that begin', sessionsPerSecond, 1),
    ...encoding,
  ]
}

/** What the installation needs of each part that can be multiplied, at most 60 % busy. */
export interface PaperNeeds {
  networkGigabits: number
  playerCores: number
  apiCores: number
  encoderCores: number
  /** Machines like the measured one that deliver, with Temporal and PostgreSQL on them. */
  deliveryMachines: number
  /** At the peak rates of the ladder. */
  objectTerabytes: number
}

export function paperNeeds(capacity: Capacity): PaperNeeds {
  const megabits = viewers * VIEWER_MEGABITS_PER_SECOND
  const requests = eventsPerSecond * PAPER_LOAD.requestsPerEvent
  const ladderBps = ladder.reduce((sum, { maxrateBps }) => sum + maxrateBps, 0)
  const busy = (cores: number): number => Math.ceil(cores / MOST_BUSY)
  return {
    networkGigabits: megabits / 1000,
    playerCores: busy(megabits / 8 / capacity.segmentMegabytesPerSecond),
    apiCores: busy(requests / capacity.listsPerSecond),
    encoderCores: busy(videoSecondsPerSecond * capacity.encodeSecondsPerSecond),
    deliveryMachines: busy(eventsPerSecond / capacity.deliveriesPerSecond),
    objectTerabytes: (videos * minutesPerVideo * 60 * ladderBps) / 8 / 1e12,
  }
}
