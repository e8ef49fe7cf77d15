// Must be imported first, so that messages of libraries do not mix with the JSON.
import '../scripts/log-to-stderr.ts'
import { benchApi } from './api/bench-api.ts'
import { benchAudience } from './audience/bench-audience.ts'
import { benchCaptions } from './captions/bench-captions.ts'
import { benchCommits } from './commits/bench-commits.ts'
import { benchDashboard } from './dashboard/bench-dashboard.ts'
import { benchFairness } from './fairness/bench-fairness.ts'
import { benchSlowLinks } from './fairness/bench-slow-links.ts'
import { table, type Figure } from './figure.ts'
import { benchFlood } from './flood/bench-flood.ts'
import { benchLicenceFlood } from './flood/bench-licence-flood.ts'
import { benchIngest } from './ingest/bench-ingest.ts'
import { benchSeeking } from './ingest/seeking.ts'
import { benchPlayer } from './player/bench-player.ts'
import { benchPooler } from './pooler/bench-pooler.ts'
import { benchDeliveryPurge } from './purge/bench-delivery-purge.ts'
import { benchPurge } from './purge/bench-purge.ts'
import { benchQuality } from './quality/bench-quality.ts'
import { benchScaleApi } from './scale-api/bench-scale-api.ts'
import { benchScale } from './scale/bench-scale.ts'
import { benchSums } from './sums/bench-sums.ts'
import { benchUploads } from './uploads/bench-uploads.ts'
import { benchViewers } from './viewers/bench-viewers.ts'
import { benchWebhooks } from './webhooks/bench-webhooks.ts'

/** Each group measures its anchors and its figures in one run. */
const GROUPS: Record<string, () => Promise<Figure[]>> = {
  ingest: benchIngest,
  seeking: benchSeeking,
  scale: benchScale,
  'scale-api': benchScaleApi,
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
  uploads: benchUploads,
  player: benchPlayer,
  viewers: benchViewers,
  audience: benchAudience,
  flood: benchFlood,
  'licence-flood': benchLicenceFlood,
  dashboard: benchDashboard,
  quality: benchQuality,
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
  const figures: Figure[] = []
  for (const name of names) figures.push(...((await GROUPS[name]?.()) ?? []))
  process.stdout.write(`${asJson ? JSON.stringify(figures) : table(figures)}\n`)
  return figures.every(({ ok }) => ok) ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
