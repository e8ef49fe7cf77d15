import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import * as audience from '../../metrics/audience.ts'
import * as http from '../../metrics/http.ts'
import * as ingest from '../../metrics/ingest.ts'
import * as installation from '../../metrics/installation.ts'
import * as network from '../../metrics/network.ts'
import * as playback from '../../metrics/playback.ts'
import * as everyProcess from '../../metrics/process.ts'
import * as webhooks from '../../metrics/webhooks.ts'
import { table } from './markdown-table.ts'

/** The copy in the repository. */
export const metricsFile = fileURLToPath(new URL('../../docs/metrics.md', import.meta.url))

/** Where the part begins that is generated; the text before it is not. */
export const GENERATED_FROM = '## Metrics of Reelgate'

const SECTIONS = [
  { title: 'API, player and dashboard', metrics: http },
  { title: 'Player', metrics: playback },
  { title: 'Worker: videos', metrics: ingest },
  { title: 'Worker: webhooks', metrics: webhooks },
  { title: 'Worker: the audience', metrics: audience },
  { title: 'Worker: its network', metrics: network },
  { title: 'API: the whole installation', metrics: installation },
  { title: 'Every process', metrics: everyProcess },
]

const metricSchema = z.object({
  name: z.string(),
  type: z.string(),
  help: z.string(),
  labelNames: z.array(z.string()),
})

/** One metric, as its definition says. */
export type MetricFacts = z.infer<typeof metricSchema>

/** Every metric that is defined in `metrics/`. */
export const allMetrics = (): MetricFacts[] =>
  SECTIONS.flatMap(({ metrics }) => metricFacts(metrics))

const metricFacts = (exported: object): MetricFacts[] =>
  Object.values(exported).flatMap((one) => metricSchema.safeParse(one).data ?? [])

/** Returns the generated part of `docs/metrics.md`, from the definitions. */
export function metricsTables(): string {
  const sections = SECTIONS.map(({ title, metrics }) => {
    const rows = metricFacts(metrics).map(({ name, type, help, labelNames }) => [
      `\`${name}\``,
      type,
      labelNames.map((label) => `\`${label}\``).join(', ') || '–',
      help,
    ])
    return `### ${title}\n\n${table(['metric', 'type', 'labels', 'meaning'], rows)}`
  })
  return `${[GENERATED_FROM, ...sections].join('\n\n')}\n`
}
