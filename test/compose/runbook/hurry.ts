import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { projectDir } from '../../../scripts/bootstrap/tools.mjs'

/** How much faster conditions of the alert rules become true. */
const AGES_BY = 240
/** Ranges of rates need some samples, which are taken every second. */
const RANGES_BY = 30

const UNITS = { s: 1, m: 60, h: 3600 } as const

const ruleFileSchema = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.looseObject({ alert: z.string(), expr: z.string(), for: z.string().optional() }),
      ),
    }),
  ),
})

type RuleFile = z.infer<typeof ruleFileSchema>

const prometheusSchema = z.looseObject({
  global: z.object({ scrape_interval: z.string(), evaluation_interval: z.string() }),
  scrape_configs: z.array(
    z.looseObject({
      job_name: z.string(),
      scrape_interval: z.string().optional(),
      dns_sd_configs: z.array(z.looseObject({})).optional(),
      relabel_configs: z.array(z.looseObject({ replacement: z.string().optional() })),
    }),
  ),
})

const readMonitoring = (name: string): unknown =>
  parse(readFileSync(join(projectDir, 'deploy/monitoring', name), 'utf8'))

function shortened(duration: string, by: number): string {
  const [, count, unit] = /^(\d+)([smh])$/.exec(duration) ?? []
  const seconds = Number(count) * UNITS[unit as keyof typeof UNITS]
  if (Number.isNaN(seconds)) throw new Error(`the rules have the unknown duration ${duration}`)
  return `${Math.max(1, Math.round(seconds / by))}s`
}

/** Returns an expression with shorter ranges, and with lower bounds of ages and waits. */
const hurried = (expr: string): string =>
  expr
    .replaceAll(/\[(\d+[smh])\]/g, (_, range: string) => `[${shortened(range, RANGES_BY)}]`)
    .replace(/(_age_seconds.*> )(\d+)( \* 3600)?/s, `$1$2$3 / ${AGES_BY}`)

/** Returns the alert rules of `deploy/`, with hours as seconds. */
export function hurriedRules(): RuleFile {
  const { groups } = ruleFileSchema.parse(readMonitoring('alert-rules.yml'))
  return {
    groups: groups.map(({ name, rules }) => ({
      name,
      rules: rules.map((rule) => ({
        ...rule,
        expr: hurried(rule.expr),
        ...(rule.for && { for: shortened(rule.for, AGES_BY) }),
      })),
    })),
  }
}

/** Returns the names of all alerts of `deploy/`. */
export const alertNames = (): string[] =>
  hurriedRules().groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))

/** Returns the configuration of `deploy/` that asks every second, and `certificates` for those of `urls`. */
export function hurriedConfiguration(certificates: string, urls: string[]): unknown {
  const file = prometheusSchema.parse(readMonitoring('prometheus.yml'))
  const every = '1s'
  return {
    ...file,
    global: { scrape_interval: every, evaluation_interval: every },
    scrape_configs: file.scrape_configs.map((job) => {
      if (job.dns_sd_configs)
        return {
          ...job,
          dns_sd_configs: job.dns_sd_configs.map((dns) => ({ ...dns, refresh_interval: every })),
        }
      return {
        ...job,
        scrape_interval: every,
        static_configs: [{ targets: urls }],
        relabel_configs: job.relabel_configs.map((rule) =>
          rule.replacement === undefined ? rule : { ...rule, replacement: certificates },
        ),
      }
    }),
  }
}
