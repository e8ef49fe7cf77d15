import type { DnsServer } from '../../infrastructure/dns-server.ts'
import type { Installation } from '../installation.ts'
import type { PublicHosts } from '../journey.ts'
import type { Site } from '../site.ts'
import type { Alerts } from './alerts.ts'
import { reelgateFunction, runbookSituations } from './runbook-text.ts'

/** What the situations of the runbook are made and ended with. */
export interface Drill {
  installation: Installation
  hosts: PublicHosts
  site: Site
  alerts: Alerts
  /** A DNS server at the gateway of the containers. */
  dns: DnsServer
  /** Where the commands of the runbook keep backups. */
  backups: string
  /**
   * Runs the commands of a situation as the runbook has them, with words such as `ID` replaced. Returns what they print.
   * Throws when one fails.
   */
  follow: (title: string, words?: Record<string, string>, operator?: Operator) => Promise<string>
}

/** What an operator does beside the commands. */
interface Operator {
  /** Waits between two blocks. */
  pause?: () => Promise<void>
  /** What they type. */
  input?: string
}

/** Makes a situation of the runbook, follows the runbook, and throws unless the situation is over. */
export type Situation = (drill: Drill) => Promise<void>

/** Returns `follow` of a drill, and the situations with commands that it has not been called for. */
export function openRunbook({ shell }: Installation, backups: string) {
  const commands = new Map(runbookSituations().map(({ title, blocks }) => [title, blocks]))
  const left = new Set([...commands.keys()].filter((title) => commands.get(title)?.length))
  const follow: Drill['follow'] = async (title, words = {}, { pause, input } = {}) => {
    const blocks = commands.get(title) ?? []
    if (blocks.length === 0) throw new Error(`the runbook has no commands for: ${title}`)
    left.delete(title)
    let before = reelgateFunction()
    const printed: string[] = []
    for (const [index, block] of blocks.entries()) {
      if (index > 0) await pause?.()
      const lines = filledIn(block, { ACCOUNT: '1', ...words }).replaceAll('/srv/backups', backups)
      printed.push(await shell(`${before}\n${lines}`, input))
      before = [before, ...functionsOf(lines)].join('\n')
    }
    return printed.join('\n')
  }
  return { follow, left: () => [...left] }
}

const filledIn = (block: string, words: Record<string, string>): string =>
  Object.entries(words).reduce(
    (lines, [word, value]) => lines.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), value),
    block,
  )

/** The definitions of functions, which an operator's shell keeps for later blocks. */
const functionsOf = (lines: string): string[] =>
  lines.split('\n').filter((line) => /^\w+\(\) \{/.test(line))
