import { readFile } from 'node:fs/promises'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { ensurePromtool } from '../scripts/bootstrap/tools.mjs'
import { allMetrics, metricsFile, metricsTables } from '../scripts/documents/metrics-document.ts'
import {
  dashboardQueries,
  metricsInUse,
  MONITORING_DIR,
} from './infrastructure/monitoring-files.ts'

const promtool = async (args: string[], input?: string) => {
  const options = { cwd: MONITORING_DIR, reject: false, all: true } as const
  return execa(await ensurePromtool(), args, input === undefined ? options : { ...options, input })
}

describe('the files for Prometheus and Grafana', () => {
  it.each([
    ['check', 'config', 'prometheus.yml'],
    ['check', 'rules', '--lint=all', '--lint-fatal', 'alert-rules.yml'],
    ['test', 'rules', 'alert-rules.test.yml'],
  ])('pass promtool %s %s', async (...args) => {
    const { exitCode, all } = await promtool(args)
    expect(exitCode === 0 ? '' : all).toBe('')
  })

  it('have no query in a dashboard that Prometheus cannot read', async () => {
    const queries = await dashboardQueries()
    expect(queries.length).toBeGreaterThan(30)
    // As recording rules, all of them are checked by one process.
    const rules = queries.map((expr, index) => ({ record: `panel:${index}`, expr }))
    const groups = [{ name: 'dashboards', rules }]
    const { exitCode, all } = await promtool(['check', 'rules'], JSON.stringify({ groups }))
    expect(exitCode === 0 ? '' : all).toBe('')
  })

  it('have a test for every alert', async () => {
    const [rules, tests] = await Promise.all(
      ['alert-rules.yml', 'alert-rules.test.yml'].map((file) =>
        readFile(`${MONITORING_DIR}/${file}`, 'utf8'),
      ),
    )
    const alerts = [...(rules ?? '').matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
    expect(alerts.length).toBeGreaterThan(10)
    expect(alerts.filter((name) => !tests?.includes(name))).toEqual([])
  })

  it('use only metrics of Reelgate that exist, and all of them', async () => {
    const names = allMetrics().map(({ name }) => name)
    const used = await metricsInUse()
    const ours = [...used].filter((name) => name.startsWith('reelgate_'))
    expect(ours.filter((name) => !names.includes(name))).toEqual([])
    expect(names.filter((name) => !used.has(name))).toEqual([])
  })
})

describe('docs/metrics.md', () => {
  it('has the metrics as they are defined: npm run metrics writes it', async () => {
    expect(await readFile(metricsFile, 'utf8')).toContain(metricsTables())
  })

  it('names counters, and nothing else, with _total, and says what each metric means', () => {
    for (const { name, help, type } of allMetrics()) {
      expect(name.endsWith('_total')).toBe(type === 'counter')
      expect(help).toMatch(/\.$/)
    }
  })
})
