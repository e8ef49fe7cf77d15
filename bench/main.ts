// Must be imported first, so that messages of libraries do not mix with the JSON.
import '../scripts/log-to-stderr.ts'
import { execaSync } from 'execa'
import { benchApi } from './api/bench-api.ts'
import { benchAudience } from './audience/bench-audience.ts'
import { benchCaptionSearch } from './caption-search/bench-caption-search.ts'
import { benchCaptions } from './captions/bench-captions.ts'
import { benchCommits } from './commits/bench-commits.ts'
import { benchDashboard } from './dashboard/bench-dashboard.ts'
import { benchFairness } from './fairness/bench-fairness.ts'
import { benchSlowLinks } from './fairness/bench-slow-links.ts'
import { table, type Figure } from './figure.ts'
import { benchFlood } from './flood/bench-flood.ts'
import { benchLicenceFlood } from './flood/bench-licence-flood.ts'
import { benchIngest } from './ingest/bench-ingest.ts'
import { benchChunkCost } from './ingest/chunk-cost.ts'
import { benchSeeking } from './ingest/seeking.ts'
import { benchWatching } from './ingest/watching.ts'
import { benchKills } from './kills/bench-kills.ts'
import { withMachineLoad, type MachineLoad } from './machine-load.ts'
import { benchPeers } from './peers/bench-peers.ts'
import { benchPlayer } from './player/bench-player.ts'
import { benchPooler } from './pooler/bench-pooler.ts'
import { benchDeliveryPurge } from './purge/bench-delivery-purge.ts'
import { benchPurge } from './purge/bench-purge.ts'
import { benchQuality } from './quality/bench-quality.ts'
import { benchFindVideos } from './scale-api/bench-find-videos.ts'
import { benchScaleApi } from './scale-api/bench-scale-api.ts'
import { benchScale } from './scale/bench-scale.ts'
import { benchSums } from './sums/bench-sums.ts'
import { benchUploads } from './uploads/bench-uploads.ts'
import { benchViewers } from './viewers/bench-viewers.ts'
import { benchWebhooks } from './webhooks/bench-webhooks.ts'

/** Each group measures its anchors and its figures in one run. */
const GROUPS: Record<string, () => Promise<Figure[]>> = {
  ingest: benchIngest,
  watching: benchWatching,
  'chunk-cost': benchChunkCost,
  seeking: benchSeeking,
  peers: benchPeers,
  kills: benchKills,
  scale: benchScale,
  'scale-api': benchScaleApi,
  'find-videos': benchFindVideos,
  sums: benchSums,
  fairness: benchFairness,
  'slow-links': benchSlowLinks,
  webhooks: benchWebhooks,
  commits: benchCommits,
  purge: benchPurge,
  'purge-deliveries': benchDeliveryPurge,
  pooler: benchPooler,
  api: benchApi,
  captions: benchCaptions,
  'caption-search': benchCaptionSearch,
  uploads: benchUploads,
  player: benchPlayer,
  viewers: benchViewers,
  audience: benchAudience,
  flood: benchFlood,
  'licence-flood': benchLicenceFlood,
  dashboard: benchDashboard,
  quality: benchQuality,
}

/** What `--json` prints. */
interface Report {
  date: string
  /** With `-dirty` if files differ from it; empty outside a repository. */
  commit: string
  groups: { group: string; seconds: number; load: MachineLoad; figures: Figure[] }[]
}

/** The share of the cores that others may use before the figures of a group are doubtful. */
const BUSY_MAX = 0.15

async function run(names: readonly string[]): Promise<Report> {
  const { stdout: commit } = execaSync('git', ['describe', '--always', '--dirty'], {
    reject: false,
  })
  const report: Report = { date: new Date().toISOString(), commit, groups: [] }
  for (const group of names) {
    const { result, ...measured } = await withMachineLoad(
      async () => (await GROUPS[group]?.()) ?? [],
    )
    if (measured.load.before > BUSY_MAX)
      console.error(`  … ${group}: the machine was ${percent(measured.load.before)} busy before`)
    report.groups.push({ group, ...measured, figures: result })
    // A run of all groups takes hours, and a later one may fail.
    if (names.length > 1) console.error(table(result))
  }
  return report
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

function asText({ date, commit, groups }: Report): string {
  const loads = groups.map(
    ({ group, load, seconds }) =>
      `${group}: ${Math.round(seconds)} s, machine ${percent(load.before)} busy before, ${percent(load.during)} during`,
  )
  return [`${date} ${commit}`, ...loads, table(groups.flatMap(({ figures }) => figures))].join('\n')
}

async function main(args: string[]): Promise<number> {
  const asJson = args.includes('--json')
  const requested = args.filter((arg) => !arg.startsWith('--'))
  const unknown = requested.filter((name) => !(name in GROUPS))
  if (unknown.length > 0) {
    console.error(
      `unknown group ${unknown.join(', ')}; known groups: ${Object.keys(GROUPS).join(', ')}`,
    )
    return 2
  }
  const names = requested.length > 0 ? requested : Object.keys(GROUPS)
  const report = await run(names)
  process.stdout.write(`${asJson ? JSON.stringify(report) : asText(report)}\n`)
  const figures = report.groups.flatMap((group) => group.figures)
  return figures.some(({ verdict }) => verdict === 'missed') ? 1 : 0
}

process.exitCode = await main(process.argv.slice(2))
