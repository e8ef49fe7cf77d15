import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './commands.mjs'
import { installOnce } from './install-once.mjs'

const RECHECK_VERSION = '4.5.0'

/** Returns the folder of recheck, which finds regular expressions that take more than linear time. It is no dependency of the project. */
export async function ensurePatternChecker() {
  const folder = await installOnce(
    `recheck-${RECHECK_VERSION}`,
    'recheck (from npm, once)',
    async (into) => {
      writeFileSync(join(into, 'package.json'), '{"private":true}')
      const quiet = ['--no-audit', '--no-fund', '--save-exact', '--ignore-scripts']
      await runCommand('npm', ['install', ...quiet, `recheck@${RECHECK_VERSION}`], { cwd: into })
    },
  )
  return join(folder, 'node_modules', 'recheck')
}
