import { printable } from '../output.ts'
import type { Result } from './verify-receiver.ts'

export type Grade = 'A' | 'B' | 'C' | 'D' | 'E' | 'F'

/** The rule of the grade, for --help and the report. */
export const GRADES =
  'A: every check passes. B: a "should" fails. C: one "must" fails. D: two or three fail. ' +
  'E: more fail. F: the valid delivery fails, or a forged one is accepted.'

/** Returns the grade by the rule of GRADES; `info` checks do not affect it. */
export function gradeOf(results: Result[]): Grade {
  const failed = results.filter(({ status }) => status === 'failed')
  if (failed.some(({ id, wasFooled }) => id === 'good' || wasFooled)) return 'F'
  const musts = failed.filter(({ severity }) => severity === 'must').length
  if (musts > 3) return 'E'
  if (musts > 1) return 'D'
  if (musts === 1) return 'C'
  return failed.some(({ severity }) => severity === 'should') ? 'B' : 'A'
}

/** Formats the results: failures with advice, skipped checks with the reason, and checks that hold. */
export function reportOf(results: Result[], url: string): string {
  const count = (wanted: Result['status']) =>
    results.filter(({ status }) => status === wanted).length
  const facts = `${count('held')} held, ${count('failed')} failed, ${count('skipped')} skipped`
  return [
    ...results.filter(({ status }) => status !== 'skipped').map(linesOf),
    ...skippedLines(results.filter(({ status }) => status === 'skipped')),
    '',
    `Grade ${gradeOf(results)} for ${url}: ${facts}.`,
    `(${GRADES})`,
  ].join('\n')
}

function linesOf({ status, note, ...result }: Result): string {
  const { id, severity, title, expected, hint } = result
  const got = printable(result.got)
  const line = `${status === 'held' ? '✓' : '✗'} ${severity.padEnd(6)} ${id.padEnd(23)}`
  if (status === 'held') return `${line} ${got}${note ? ` (${note})` : ''}`
  const details = [title, `expected: ${expected}`, `received: ${got}`, `to do:    ${note ?? hint}`]
  return [line.trimEnd(), ...details.map((text) => `    ${text}`)].join('\n')
}

/** Groups skipped checks by reason. */
const skippedLines = (skipped: Result[]): string[] =>
  [...Map.groupBy(skipped, ({ got }) => got)].map(([got, results]) => {
    const ids = results.map(({ id }) => id).join(', ')
    return `– skipped, as ${printable(got)}\n    ${ids}`
  })
