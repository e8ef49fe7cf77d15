import type { Faults } from './fault.ts'
import type { Judgement, ServiceChaosResult } from './service-chaos.ts'

export const GROUPS = ['lost', 'stuck', 'orphans', 'leaked'] as const

/** Returns each finding with the seed that shows it again, and the last line of a run. */
export function summarise(
  result: Judgement & { faults: Pick<Faults, 'kills' | 'failures'> },
  seed: number,
): { findings: string[]; line: string } {
  const findings = GROUPS.flatMap((group) =>
    result[group].map((finding) => `✗ ${group}: ${finding} (--seed ${seed})`),
  )
  const { kills, failures } = result.faults
  const counts = GROUPS.map((group) => `${result[group].length} ${group}`)
  return { findings, line: [`${kills} kills`, `${failures} faults`, ...counts].join(', ') }
}

/** Returns lines about what happened, of which none is a finding. */
export function describeFaults({
  faults,
  videos,
  deliveries,
  sessions,
  internalErrors,
}: ServiceChaosResult): string[] {
  const kinds = [...faults.counts].map(([kind, count]) => `${count} ${kind}`).toSorted()
  return [
    `${videos} videos, ${deliveries} deliveries, ${sessions} playback sessions`,
    kinds.join(', '),
    `${internalErrors.length} responses with 500 ${internalErrors.slice(0, 5).join('; ')}`.trim(),
  ]
}
