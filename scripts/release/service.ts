import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readRuntime } from '../../processes/runtime-file.ts'
import { inheritedEnvironment } from '../bootstrap/tools.mjs'
import { freeServicePorts } from '../embedded/ports.ts'
import { readAddresses, stopProcess } from '../service-process.ts'

/** The service of a release, as `npm start` runs it. */
export interface RunningService {
  api: string
  apiKey: string
  databaseUrl: string
  temporalAddress: string
  masterKey: string
  stop: () => Promise<void>
}

const START_TIMEOUT_MS = 300_000

/** Starts the source of a release with all its embedded services, on free ports and on a new data folder. */
export async function startSource(source: string, dataDir: string): Promise<RunningService> {
  const args = ['--no-warnings', 'scripts/start.ts', '--json', '--data-dir', dataDir]
  const child = spawn(process.execPath, args, {
    cwd: source,
    env: { ...inheritedEnvironment(), ...(await freeServicePorts()) },
    // The channel closes when this process ends, also after kill -9.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  try {
    const { api, api_key: apiKey } = await readAddresses(child, START_TIMEOUT_MS)
    const runtime = await readRuntime(dataDir)
    if (!runtime) throw new Error(`${dataDir} has no runtime.json`)
    return {
      api,
      apiKey,
      databaseUrl: runtime.databaseUrl,
      temporalAddress: runtime.temporalAddress,
      masterKey: (await readFile(join(dataDir, 'master.key'), 'utf8')).trim(),
      stop: () => stopProcess(child),
    }
  } catch (error) {
    await stopProcess(child)
    throw error
  }
}
