import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from './environment.mjs'
import { buildGoProgram } from './go-program.mjs'
import { installOnce } from './install-once.mjs'

const MODULE = 'temporal/dev-server'
const TITLE = 'Temporal server (built from source, once: some minutes on two cores)'

/** Returns the path of the embedded Temporal server with its Web UI, built from `temporal/dev-server`. */
export async function ensureTemporalServer() {
  const digest = createHash('sha256')
  for (const file of ['go.mod', 'go.sum', 'main.go'])
    digest.update(readFileSync(join(projectDir, MODULE, file)))
  const name = `temporal-dev-server-${digest.digest('hex').slice(0, 12)}`
  const folder = await installOnce(name, TITLE, (into) =>
    buildGoProgram({
      moduleDir: MODULE,
      packagePath: '.',
      output: join(into, 'temporal-dev-server'),
    }),
  )
  return join(folder, 'temporal-dev-server')
}
