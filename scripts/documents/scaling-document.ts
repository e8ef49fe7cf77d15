import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { table } from './markdown-table.ts'

const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../../docs/${name}`, import.meta.url))

/** The document, and the figures that its tables are computed from, in the repository. */
export const scalingFile = fileOf('scaling.md')
export const figuresFile = fileOf('scaling.json')

const recordSchema = z.object({
  machine: z.string(),
  figures: z.array(
    z.object({
      figure: z.string(),
      value: z.number(),
      unit: z.string(),
      anchor: z.number().nullable(),
      budget: z.string(),
    }),
  ),
})

/** Figures of `npm run bench -- … --json`, and the machine that measured them. */
export type ScalingRecord = z.infer<typeof recordSchema>

export const readRecord = (): ScalingRecord =>
  recordSchema.parse(JSON.parse(readFileSync(figuresFile, 'utf8')))

/**
 * Returns `docs/scaling.md` with the tables between its markers computed from measured figures. Throws if a figure that
 * a table needs was not measured.
 */
export function scalingDocument(text: string, record: ScalingRecord): string {
  const capacity = capacityOf(record)
  const tables: Record<string, string> = {
    capacity: capacityTable(record, capacity),
    sizing: sizingTable(capacity),
    growth: growthTable(record),
  }
  return text.replaceAll(/<!-- (\w+) -->[\s\S]*?<!-- end -->/g, (whole, name: string) => {
    const content = tables[name]
    return content ? `<!-- ${name} -->\n\n${content}\n\n<!-- end -->` : whole
  })
}

/** What one core, or one set of rows, was measured to do. */
interface Capacity {
  segmentMegabytesPerSecond: number
  embedPagesPerSecond: number
  listsPerSecond: number
  deliveriesPerSecond: number
  /** Core-seconds to make a ladder of 720p from one second of video. */
  encodeSecondsPerSecond: number
  /** Of a video with its ten deliveries and ten sessions. */
  databaseKilobytesPerVideo: number
}

const VIDEO = /^POST to ready of (\d+) s of 720p: 1 worker on 1 core$/
const DATABASE = /^database of (\d+) videos/

function capacityOf({ figures }: ScalingRecord): Capacity {
  const find = (pattern: RegExp) => {
    const found = figures.findLast(({ figure }) => pattern.test(figure))
    if (!found) throw new Error(`docs/scaling.json has no figure ${pattern.source}`)
    return { value: found.value, count: Number(pattern.exec(found.figure)?.[1]) }
  }
  const video = find(VIDEO)
  const database = find(DATABASE)
  return {
    segmentMegabytesPerSecond: find(/^segments on one core$/).value,
    embedPagesPerSecond: find(/^embed page, one process$/).value,
    listsPerSecond: find(/^GET \/v1\/videos, one process$/).value,
    deliveriesPerSecond: find(/^webhook deliveries, first attempt succeeds$/).value,
    encodeSecondsPerSecond: video.value / video.count,
    databaseKilobytesPerVideo: (database.value * 1e6) / database.count,
  }
}

const capacityTable = ({ machine }: ScalingRecord, capacity: Capacity): string =>
  table(
    ['work', `measured on ${machine}`],
    [
      ['segments', `${rounded(capacity.segmentMegabytesPerSecond)} MB/s of a core of the player`],
      ['embed pages', `${rounded(capacity.embedPagesPerSecond)}/s of a core of the player`],
      ['lists of 25 videos', `${rounded(capacity.listsPerSecond)}/s of a core of the API`],
      [
        'webhooks',
        `${rounded(capacity.deliveriesPerSecond)}/s on the whole machine, with Temporal and PostgreSQL`,
      ],
      [
        'encoding a ladder of 720p',
        `${rounded(capacity.encodeSecondsPerSecond)} core-seconds for a second of video`,
      ],
      [
        'database',
        `${rounded(capacity.databaseKilobytesPerVideo)} kB for a video with ten deliveries and ten sessions`,
      ],
    ],
  )

const LOADS = [
  { viewers: 100, videoHoursPerDay: 10, videos: 10_000 },
  { viewers: 1_000, videoHoursPerDay: 50, videos: 100_000 },
  { viewers: 10_000, videoHoursPerDay: 200, videos: 1_000_000 },
]
const VIEWER_MEGABITS_PER_SECOND = 3
/** What is left is for peaks, for deliveries and for what was not measured. */
const MOST_BUSY = 0.6

const sizingTable = (capacity: Capacity): string =>
  table(
    [
      'viewers at a time',
      'video a day',
      'videos',
      'network',
      'cores of players',
      'cores of encoders',
      'database',
    ],
    LOADS.map(({ viewers, videoHoursPerDay, videos }) => {
      const megabits = viewers * VIEWER_MEGABITS_PER_SECOND
      const playerCores = megabits / 8 / capacity.segmentMegabytesPerSecond
      const encoderCores = (videoHoursPerDay / 24) * capacity.encodeSecondsPerSecond
      return [
        viewers.toLocaleString('en'),
        `${videoHoursPerDay} h`,
        videos.toLocaleString('en'),
        `${rounded(megabits / 1000)} Gbit/s`,
        coresFor(playerCores),
        coresFor(encoderCores),
        `${rounded((videos * capacity.databaseKilobytesPerVideo) / 1e6)} GB`,
      ]
    }),
  )

const coresFor = (fullCores: number): string => String(Math.ceil(fullCores / MOST_BUSY))

/** The operations whose cost was compared with that in a database of a hundredth of the rows. */
function growthTable({ figures }: ScalingRecord): string {
  const timeOf = (name: string) => figures.find(({ figure }) => figure === `${name}, time`)?.value
  const rows = figures.flatMap(({ figure, value, unit, anchor }) => {
    if (unit !== 'blocks' || anchor === null) return []
    const time = `${rounded(timeOf(figure) ?? Number.NaN)} ms`
    return [[figure, rounded(anchor), rounded(value), rounded(value / anchor), time]]
  })
  return table(['operation', 'blocks before', 'blocks', 'times', 'takes'], rows)
}

/** Two significant digits below 100. */
const rounded = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2)))
