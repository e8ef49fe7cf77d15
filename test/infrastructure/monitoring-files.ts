import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../domain/parse-json.ts'
import { projectDir } from '../../scripts/bootstrap/tools.mjs'
import { allMetrics } from '../../scripts/documents/metrics-document.ts'

/** What operators give to Prometheus and Grafana. */
export const MONITORING_DIR = join(projectDir, 'deploy', 'monitoring')

const DASHBOARDS_DIR = join(MONITORING_DIR, 'dashboards')

const dashboardSchema = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })),
})

/** The queries of all panels of the dashboards, as Grafana sends them. */
export async function dashboardQueries(): Promise<string[]> {
  const texts = await readDashboards()
  return texts
    .flatMap((text) => dashboardSchema.parse(parseJson(text)).panels)
    .flatMap(({ targets }) => targets)
    .map(({ expr }) => expr.replaceAll('$__rate_interval', '1m'))
}

async function readDashboards(): Promise<string[]> {
  const names = await readdir(DASHBOARDS_DIR)
  return Promise.all(names.map((name) => readFile(join(DASHBOARDS_DIR, name), 'utf8')))
}

/** The metrics of the processes of Reelgate that alert rules and dashboards use. */
export async function metricsInUse(): Promise<Set<string>> {
  const rules = await readFile(join(MONITORING_DIR, 'alert-rules.yml'), 'utf8')
  const texts = [rules, ...(await dashboardQueries())]
  const names = texts.flatMap(
    (text) => text.match(/\b(reelgate|temporal|process|nodejs)_\w+/g) ?? [],
  )
  const histograms = allMetrics().filter(({ type }) => type === 'histogram')
  const seriesOf = new Map<string, string>(
    histograms.flatMap(({ name }) =>
      ['bucket', 'sum', 'count'].map((part) => [`${name}_${part}`, name] as const),
    ),
  )
  return new Set(names.map((name) => seriesOf.get(name) ?? name))
}
