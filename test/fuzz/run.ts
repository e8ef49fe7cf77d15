// npm run fuzz: Schemathesis over the whole API on a real api process, from the OpenAPI document.
//   npm run fuzz -- --seed 7 --seconds 600
import { randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { openFuzzFixture } from './fuzz-fixture.ts'
import { runSchemathesis } from './run-schemathesis.ts'

const SECONDS = '240'

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, seconds: { type: 'string' } },
  })
  const seed = values.seed ?? String(randomInt(2 ** 31))
  const fixture = await openFuzzFixture()
  let status = 1
  try {
    status = await runSchemathesis(fixture, { seed, seconds: values.seconds ?? SECONDS })
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

process.exitCode = await main()
