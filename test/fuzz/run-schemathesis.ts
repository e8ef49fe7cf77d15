import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureSchemathesis } from '../../scripts/bootstrap/tools.mjs'
import type { KnownValues } from './fill-account.ts'
import { CHECKS_OFF, schemathesisConfig } from './schemathesis-config.ts'

const EXAMPLES_PER_OPERATION = '60'

/** An API and an account that has at least one of each resource. */
export interface FuzzedApi {
  baseUrl: string
  apiKey: string
  known: KnownValues
  /** For its settings. */
  folder: string
}

/** Sends valid and invalid requests of the OpenAPI document; resolves to the exit status, 0 if no response is wrong. */
export async function runSchemathesis(
  { baseUrl, apiKey, known, folder }: FuzzedApi,
  { seed, seconds }: { seed: string; seconds: string },
): Promise<number> {
  const config = join(folder, 'schemathesis.toml')
  await writeFile(config, schemathesisConfig(known))
  const [program = '', ...first] = await ensureSchemathesis()
  const args = [
    ...first,
    ['--config-file', config, 'run', `${baseUrl}/openapi.json`, '--url', baseUrl],
    ['--header', `Authorization: Bearer ${apiKey}`, '--seed', seed, '--max-time', seconds],
    ['--max-examples', EXAMPLES_PER_OPERATION, '--continue-on-failure'],
    ['--exclude-checks', Object.keys(CHECKS_OFF).join(',')],
    ['--generation-database', 'none', '--request-timeout', '40', '--no-color'],
  ].flat()
  // The output of a benchmark is its table.
  const child = spawn(program, args, { stdio: ['inherit', 2, 2], cwd: folder })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
