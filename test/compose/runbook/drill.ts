import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from '../../../scripts/bootstrap/tools.mjs'
import type { PublicHosts } from '../journey.ts'
import type { Installation } from '../installation.ts'
import type { Site } from '../site.ts'
import type { Alerts } from './alerts.ts'

/** What the situations of the runbook are made and ended with. */
export interface Drill {
  installation: Installation
  hosts: PublicHosts
  site: Site
  alerts: Alerts
  /** Where the commands of the runbook keep backups. */
  backups: string
  /**
   * Runs the commands of a situation as the runbook has them, with words such as `ID` replaced. Returns what they print.
   * Throws when one fails.
   */
  follow: (title: string, words?: Record<string, string>) => Promise<string>
}

/** Makes a situation of the runbook, follows the runbook, and throws unless the situation is over. */
export type Situation = (drill: Drill) => Promise<void>

/** Returns the commands of each situation of `docs/runbook.md` by title; those of the beginning have the title ''. */
function runbookCommands(): Map<string, string> {
  const text = readFileSync(join(projectDir, 'docs/runbook.md'), 'utf8')
  const parts = text.split(/^### \d+\. /m)
  return new Map(
    parts.map((part, index) => {
      const blocks = [...part.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block)
      return [index === 0 ? '' : (part.split('\n')[0] ?? ''), blocks.join('')]
    }),
  )
}

/** Returns `follow` of a drill, and the situations with commands that it has not been called for. */
export function openRunbook({ shell }: Installation, backups: string) {
  const commands = runbookCommands()
  const left = new Set([...commands].filter(([, script]) => script !== '').map(([title]) => title))
  const define = (commands.get('') ?? '').split('\n').find((line) => line.startsWith('reelgate()'))
  const follow: Drill['follow'] = async (title, words = {}) => {
    let script = commands.get(title)
    if (!script) throw new Error(`the runbook has no commands for: ${title}`)
    for (const [word, value] of Object.entries({ ACCOUNT: '1', ...words }))
      script = script.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), value)
    left.delete(title)
    return shell(`${define}\n${script.replaceAll('/srv/backups', backups)}`)
  }
  return { follow, left: () => [...left] }
}
