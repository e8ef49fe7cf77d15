import type { Attempt } from '../../../api/deliveries.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useFormats } from '../../../parts/text/formats.ts'
import classes from '../developers.module.css'
import { useDeveloperWords } from '../words.ts'

interface Phase {
  name: 'dns' | 'connect' | 'tls' | 'firstByte' | 'rest'
  startMs: number
  durationMs: number
}

/** The completed phases of an attempt, each after the one before; the rest is what no phase explains. */
function phasesOf({ timings, duration_ms: totalMs }: Attempt): Phase[] {
  const durations = [
    ['dns', timings.dns_ms],
    ['connect', timings.connect_ms],
    ['tls', timings.tls_ms],
    ['firstByte', timings.first_byte_ms],
  ] as const
  const phases: Phase[] = []
  let startMs = 0
  for (const [name, durationMs] of durations) {
    if (durationMs === null) continue
    phases.push({ name, startMs, durationMs })
    startMs += durationMs
  }
  if (totalMs > startMs) phases.push({ name: 'rest', startMs, durationMs: totalMs - startMs })
  return phases
}

/** How long each phase of an attempt took, on one scale. */
export function AttemptPhases({ attempt }: { attempt: Attempt }) {
  const { delivery: words } = useDeveloperWords()
  const { number } = useFormats()
  const phases = phasesOf(attempt)
  const last = phases.at(-1)
  const totalMs = Math.max(1, attempt.duration_ms, last ? last.startMs + last.durationMs : 0)
  const percent = (ms: number): string => `${(100 * ms) / totalMs}%`
  const inMs = (ms: number): string => interpolate(words.ms, { number: number(Math.round(ms)) })
  return (
    <dl className={classes.phases}>
      {phases.map(({ name, startMs, durationMs }) => (
        <div key={name}>
          <dt>{words[name]}</dt>
          <dd className={classes.track} aria-hidden>
            <div
              className={classes.phase}
              style={{
                marginInlineStart: `min(${percent(startMs)}, 100% - 2px)`,
                width: percent(durationMs),
              }}
            />
          </dd>
          <dd>{inMs(durationMs)}</dd>
        </div>
      ))}
      <div>
        <dt>{words.total}</dt>
        <dd aria-hidden />
        <dd>{inMs(attempt.duration_ms)}</dd>
      </div>
    </dl>
  )
}
