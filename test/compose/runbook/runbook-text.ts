import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from '../../../scripts/bootstrap/tools.mjs'

/** A situation of `docs/runbook.md`. */
export interface RunbookSituation {
  title: string
  /** How many commands its text promises; NaN if it does not say. */
  promised: number
  /** Its blocks of commands, in order. Between two of them the operator waits for what the text says. */
  blocks: string[]
}

const text = (): string => readFileSync(join(projectDir, 'docs/runbook.md'), 'utf8')

const blocksOf = (part: string): string[] =>
  [...part.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block)

/** Returns the number in "**Do** (2 commands)". */
function promiseOf(part: string): number {
  const promises = [...part.matchAll(/^- \*\*Do\*\* \((no command|1 command|\d+ commands)\): /gm)]
  const [, words = ''] = promises.length === 1 ? (promises[0] ?? []) : []
  return words === 'no command' ? 0 : Number.parseInt(words, 10)
}

/** Returns the situations of `docs/runbook.md`, in order. */
export const runbookSituations = (): RunbookSituation[] =>
  text()
    .split(/^### \d+\. /m)
    .slice(1)
    .map((part) => {
      const title = part.slice(0, part.indexOf('\n'))
      return { title, promised: promiseOf(part), blocks: blocksOf(part) }
    })

/** Returns the line of the beginning that defines `reelgate`. */
export function reelgateFunction(): string {
  const [block = ''] = blocksOf(text())
  return block.split('\n').find((line) => line.startsWith('reelgate()')) ?? ''
}
