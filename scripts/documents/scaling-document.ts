import { fileURLToPath } from 'node:url'
import { table } from './markdown-table.ts'
import {
  capacityOf,
  MOST_BUSY,
  VIEWER_MEGABITS_PER_SECOND,
  type Capacity,
} from './measured-capacity.ts'
import { paperTables } from './paper-tables.ts'
import { rounded, type ScalingRecord } from './scaling-figures.ts'

/** The document in the repository. */
export const scalingFile = fileURLToPath(new URL('../../docs/scaling.md', import.meta.url))

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
    ...paperTables(record, capacity),
  }
  return text.replaceAll(/<!-- (\w+) -->[\s\S]*?<!-- end -->/g, (whole, name: string) => {
    const content = tables[name]
    return content ? `<!-- ${name} -->\n\n${content}\n\n<!-- end -->` : whole
  })
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
        `${rounded(capacity.databaseKilobytesPerVideo)} kB for a video with five deliveries and five sessions`,
      ],
    ],
  )

const LOADS = [
  { viewers: 100, videoHoursPerDay: 10, videos: 10_000 },
  { viewers: 1_000, videoHoursPerDay: 50, videos: 100_000 },
  { viewers: 10_000, videoHoursPerDay: 200, videos: 1_000_000 },
]

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
