import { record as RECORD_VARIABLES } from '../../config/sections/record.ts'
import { ACTIVE_RELAYS_MAX } from '../../db/outbox/listen-outbox.ts'
import { table } from './markdown-table.ts'
import type { Capacity } from './measured-capacity.ts'
import {
  eventsPerSecond,
  PAPER_LOAD,
  paperCommits,
  paperNeeds,
  paperRows,
  type PaperNeeds,
} from './paper-load.ts'
import { findFigure, rounded, type ScalingRecord } from './scaling-figures.ts'

/** Returns what the load on paper needs, as the tables of `docs/scaling.md` by their names. */
export function paperTables(record: ScalingRecord, capacity: Capacity): Record<string, string> {
  const needs = paperNeeds(capacity)
  const shared = sharedParts(record, capacity, needs)
  return {
    load: loadTable(),
    rows: rowsTable(record),
    commits: commitsTable(record, needs),
    ends: endsTable(shared),
    connections: connectionsTable(record, needs),
    machines: machinesTable(record, needs),
  }
}

const count = (value: number): string => Math.round(value).toLocaleString('en')

const loadTable = (): string => {
  const { videos, videoYears, minutesPerVideo, eventsPerMonth, failedShare, viewers } = PAPER_LOAD
  return table(
    ['what', 'how much'],
    [
      [
        'videos',
        `${count(videos)} of ${minutesPerVideo} minutes, which came in ${videoYears} years`,
      ],
      ['events', `${count(eventsPerMonth)} a month, ${rounded(eventsPerSecond)} a second`],
      [
        'deliveries',
        `one of each event; ${failedShare * 100} % fail, after ${PAPER_LOAD.attemptsOfFailed} attempts`,
      ],
      ['requests of the API', `${PAPER_LOAD.requestsPerEvent} of each event`],
      ['viewers', `${count(viewers)} at once, each for ${PAPER_LOAD.minutesPerSession} minutes`],
    ],
  )
}

function rowsTable(record: ScalingRecord): string {
  const rows = paperRows(record)
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0)
  return table(
    ['table', 'rows', 'bytes of one', 'TB', 'partitions'],
    [
      ...rows.map((one) => [
        `\`${one.table}\``,
        `${rounded(one.rows / 1e6)} million`,
        count(one.bytes / one.rows),
        rounded(one.bytes / 1e12),
        String(one.partitions),
      ]),
      ['together', '', '', rounded(total / 1e12), ''],
    ],
  )
}

function commitsTable(record: ScalingRecord, { playerCores }: PaperNeeds): string {
  const rows = paperCommits(record, playerCores)
  return table(
    ['work', 'a second', 'commits a second'],
    [
      ...rows.map(({ work, perSecond, commits }) => [work, rounded(perSecond), rounded(commits)]),
      ['together', '', rounded(sumOf(rows))],
    ],
  )
}

const sumOf = (rows: { commits: number }[]): number =>
  rows.reduce((sum, { commits }) => sum + commits, 0)

/** A part of which an installation has one. */
interface SharedPart {
  part: string
  needs: number
  does: number
  grows: string
}

function sharedParts(record: ScalingRecord, capacity: Capacity, needs: PaperNeeds): SharedPart[] {
  const valueOf = (pattern: RegExp) => findFigure(record, pattern).value
  return [
    {
      part: 'commits of PostgreSQL a second',
      needs: sumOf(paperCommits(record, needs.playerCores)),
      does: valueOf(/^commits of PostgreSQL$/),
      grows: 'with the processor and the disk of its machine',
    },
    {
      part: `workflows that ${ACTIVE_RELAYS_MAX} relays start a second`,
      needs: eventsPerSecond,
      does: ACTIVE_RELAYS_MAX * valueOf(/^workflows that one relay starts$/),
      grows: 'with the machine of Temporal',
    },
    {
      part: 'deliveries that Temporal and its database complete a second',
      needs: eventsPerSecond,
      does: capacity.deliveriesPerSecond,
      grows: 'with machines of Temporal, and with the one of its database',
    },
  ].toSorted((a, b) => a.does / a.needs - b.does / b.needs)
}

const endsTable = (parts: SharedPart[]): string =>
  table(
    ['part, the one that ends first above', 'needed', 'measured', 'carries of the load', 'grows'],
    parts.map(({ part, needs, does, grows }) => [
      part,
      rounded(needs),
      rounded(does),
      `${rounded((100 * does) / needs)} %`,
      grows,
    ]),
  )

/** Over which the commits were measured. */
const MEASURED_CONNECTIONS = 64

/** Of a part of which each process has a pool, and of a pooler that gives them to those that commit. */
function connectionsTable(record: ScalingRecord, needs: PaperNeeds): string {
  const poolSize = RECORD_VARIABLES.DATABASE_POOL_SIZE.parse(undefined)
  const encoders = Math.ceil(needs.encoderCores / ENCODER_CORES)
  const processes = needs.playerCores + needs.apiCores + encoders + needs.deliveryMachines
  const commits = sumOf(paperCommits(record, needs.playerCores))
  const commitsOfOne = findFigure(record, /^commits of PostgreSQL$/).value / MEASURED_CONNECTIONS
  return table(
    ['connections of PostgreSQL', 'how many'],
    [
      [
        `${count(processes)} processes, each with a pool of ${poolSize}`,
        count(processes * poolSize),
      ],
      ['through PgBouncer, busy at once', count(Math.ceil(commits / commitsOfOne))],
    ],
  )
}

/** US dollars a month, as servers and storage are rented. */
const PRICES = {
  core: { price: 20, per: 'a core with its memory' },
  network: { price: 50, per: 'a Gbit/s' },
  database: { price: 100, per: 'a TB' },
  objects: { price: 6, per: 'a TB' },
}
/** Of one encoder. */
const ENCODER_CORES = 6
const MEASURED_CORES = 2

interface Machines {
  part: string
  amount: string
  units: number
  of: keyof typeof PRICES
}

function machinesTable(record: ScalingRecord, needs: PaperNeeds): string {
  const parts = machinesOf(record, needs).map((one) => ({
    ...one,
    dollars: one.units * PRICES[one.of].price,
  }))
  const total = parts.reduce((sum, { dollars }) => sum + dollars, 0)
  return table(
    ['part', 'how much', 'price', 'US dollars a month', 'share'],
    [
      ...parts
        .toSorted((a, b) => b.dollars - a.dollars)
        .map(({ part, amount, of, dollars }) => [
          part,
          amount,
          `${PRICES[of].price} for ${PRICES[of].per}`,
          count(dollars),
          `${rounded((100 * dollars) / total)} %`,
        ]),
      ['together', '', '', count(total), ''],
    ],
  )
}

function machinesOf(record: ScalingRecord, needs: PaperNeeds): Machines[] {
  const terabytes = paperRows(record).reduce((sum, { bytes }) => sum + bytes, 0) / 1e12
  const cores = (part: string, units: number, amount = `${count(units)} cores`): Machines => ({
    part,
    amount,
    units,
    of: 'core',
  })
  const { networkGigabits, playerCores, apiCores, encoderCores, objectTerabytes } = needs
  const encoders = `${count(encoderCores / ENCODER_CORES)} of ${ENCODER_CORES} cores`
  const amount = (units: number, unit: string) => ({ units, amount: `${rounded(units)} ${unit}` })
  return [
    { part: 'objects of videos, at most', ...amount(objectTerabytes, 'TB'), of: 'objects' },
    { part: 'network of players', ...amount(networkGigabits, 'Gbit/s'), of: 'network' },
    { part: 'disk of PostgreSQL', ...amount(terabytes, 'TB'), of: 'database' },
    cores('encoders', encoderCores, encoders),
    cores('workers of webhooks, Temporal and PostgreSQL', needs.deliveryMachines * MEASURED_CORES),
    cores('players', playerCores),
    cores('API', apiCores),
  ]
}
