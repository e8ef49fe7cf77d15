import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './commands.mjs'
import { installOnce } from './install-once.mjs'

/** Installs packages of npm, such as `name@1.2.3`, that are no dependencies of the project, once. Returns their `node_modules`. */
export async function installNpmTools(name, title, packages) {
  const folder = await installOnce(name, `${title} (from npm, once)`, async (into) => {
    writeFileSync(join(into, 'package.json'), '{"private":true,"type":"module"}')
    const quiet = ['--no-audit', '--no-fund', '--save-exact', '--ignore-scripts']
    await runCommand('npm', ['install', ...quiet, ...packages], { cwd: into })
  })
  return join(folder, 'node_modules')
}
