import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { projectDir } from '../../scripts/bootstrap/tools.mjs'
import { allMetrics } from '../../scripts/metrics-document.ts'

/** What operators give to Prometheus and Grafana. */
export const MONITORING_DIR = join(projectDir, 'deploy', 'monitoring')

const DASHBOARDS_DIR = join(MONITORING_DIR, 'dashboards')

/** The metrics of the processes of Reelgate that alert rules and dashboards use. */
export async function metricsInUse(): Promise<Set<string>> {
  const dashboards = (await readdir(DASHBOARDS_DIR)).map((name) => join(DASHBOARDS_DIR, name))
  const files = [join(MONITORING_DIR, 'alert-rules.yml'), ...dashboards]
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
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
