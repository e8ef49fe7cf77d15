import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { projectDir } from '../../scripts/bootstrap/tools.mjs'

const PAGE = join(projectDir, 'docs/operating/alerts.md')

/** Prints the log of each process that is named, as `docker compose logs` does. */
const LOGS = `logs() { for one in "$@"; do [ -f "$one.log" ] && cat "$one.log"; done; true; }`

/** Prints the statement that psql would run. */
const DOCKER = `docker() { printf '%s\\n' "\${@: -1}"; }`

/** Returns the commands of docs/operating/alerts.md for each alert. */
export function commandsOfAlerts(): Map<string, string[]> {
  const [, ...sections] = readFileSync(PAGE, 'utf8').split(/^### /m)
  return new Map(
    sections.map((section) => {
      const [, name = '', commands = ''] = /^(\w+)\n.*?```sh\n(.*?)```/s.exec(section) ?? []
      return [name, commands.trim().split('\n')]
    }),
  )
}

/**
 * Runs the commands of an alert on logs, by process. `words` replace those in capitals; one may come from what the command
 * before has printed. Returns what the last command that printed anything has printed; of one for psql, that is its statement.
 */
export async function followAlert(
  alert: string,
  logs: Record<string, readonly string[] | string>,
  words: Record<string, string | ((printed: string) => string)> = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'alert-'))
  try {
    for (const [process, lines] of Object.entries(logs))
      await writeFile(join(folder, `${process}.log`), [lines].flat().join('\n'))
    let printed = ''
    for (const command of commandsOfAlerts().get(alert) ?? []) {
      const filled = Object.entries(words).reduce(
        (text, [word, value]) =>
          text.replaceAll(word, typeof value === 'string' ? value : value(printed)),
        command,
      )
      const { stdout } = await execa('bash', ['-c', `${LOGS}\n${DOCKER}\n${filled}`], {
        cwd: folder,
      })
      printed = stdout || printed
    }
    return printed
  } finally {
    await rm(folder, { recursive: true })
  }
}
