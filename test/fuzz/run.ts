// npm run fuzz: Schemathesis over the whole API on a real api process, from the OpenAPI document.
//   npm run fuzz -- --seed 7 --seconds 600
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureSchemathesis } from '../../scripts/bootstrap/tools.mjs'
import { openFuzzFixture, type FuzzFixture } from './fuzz-fixture.ts'
import { CHECKS_OFF, schemathesisConfig } from './schemathesis-config.ts'

const SECONDS = '240'
const EXAMPLES_PER_OPERATION = '60'

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, seconds: { type: 'string' } },
  })
  const seed = values.seed ?? String(randomInt(2 ** 31))
  const fixture = await openFuzzFixture()
  let status = 1
  try {
    status = await runSchemathesis(fixture, seed, values.seconds ?? SECONDS)
  } finally {
    await fixture.close()
  }
  if (status === 0) await rm(fixture.folder, { recursive: true, force: true })
  else
    process.stderr.write(
      `The log of the API is ${fixture.logFile}; again with: npm run fuzz -- --seed ${seed}\n`,
    )
  return status
}

async function runSchemathesis(
  fixture: FuzzFixture,
  seed: string,
  seconds: string,
): Promise<number> {
  const { baseUrl, apiKey, known, folder } = fixture
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
  const child = spawn(program, args, { stdio: 'inherit', cwd: folder })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

process.exitCode = await main()
