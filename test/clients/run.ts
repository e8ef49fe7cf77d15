// npm run verify:clients [-- NAME …]: generates clients from the OpenAPI document that a service of `npm start` serves,
// compiles them, and makes the calls of expected-calls.ts with each. A name chooses clients, such as java.
import '../../scripts/log-to-stderr.ts'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MissingProgramError } from '../../scripts/bootstrap/tools.mjs'
import { compareCalls, expectedCalls } from './expected-calls.ts'
import { step, type GeneratedClient } from './generated-client.ts'
import { goClient } from './go-client.ts'
import { csharpClient, javaClient } from './openapi-generator.ts'
import { otherPythonClient, pythonClient } from './python-clients.ts'
import { startFilledService, type FilledService } from './service.ts'
import { axiosClient, heyApiClient, typesOnlyClient } from './typescript-clients.ts'

const CLIENTS = [
  goClient,
  pythonClient,
  otherPythonClient,
  axiosClient,
  javaClient,
  csharpClient,
  typesOnlyClient,
  heyApiClient,
]

const tell = (line: string): void => void process.stdout.write(`${line}\n`)

type Result = 'passed' | 'failed' | 'skipped'

async function main(names: string[]): Promise<void> {
  const chosen = CLIENTS.filter(
    ({ name }) => names.length === 0 || names.some((one) => name.toLowerCase().includes(one)),
  )
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-clients-'))
  try {
    report(await checkAll(chosen, folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function checkAll(clients: GeneratedClient[], folder: string): Promise<Result[]> {
  const service = await startFilledService(folder)
  try {
    const response = await fetch(`${service.addresses.api}/openapi.json`)
    await writeFile(join(folder, 'openapi.json'), await response.text())
    const results: Result[] = []
    for (const client of clients) results.push(await check(client, service, folder))
    return results
  } finally {
    await service.stop()
  }
}

function report(results: Result[]): void {
  const count = (result: Result) => results.filter((one) => one === result).length
  tell(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
  if (count('failed') > 0) process.exitCode = 1
}

async function check(
  client: GeneratedClient,
  service: FilledService,
  root: string,
): Promise<Result> {
  const { name } = client
  try {
    await client.prepare()
    const folder = join(root, name.replaceAll(/\W+/g, '-'))
    await mkdir(folder)
    const done = await useClient(client, service, { folder, document: join(root, 'openapi.json') })
    tell(`✓ ${name}: ${done}`)
    return 'passed'
  } catch (error) {
    if (error instanceof MissingProgramError) {
      tell(`- ${name}: skipped: ${error.message}`)
      return 'skipped'
    }
    tell(`✗ ${name}: ${error instanceof Error ? error.message : String(error)}`)
    return 'failed'
  }
}

/** Returns what was done with the client. */
async function useClient(
  client: GeneratedClient,
  service: FilledService,
  place: { document: string; folder: string },
): Promise<string> {
  const { lacks = [], unrun = '' } = client
  const program = await client.make(place)
  if (program === null) return unrun
  const title = `Made by ${client.name}`
  const output = await step(program.command, program.args, program.cwd, {
    ...program.env,
    API_BASE: service.addresses.api,
    API_KEY: service.addresses.api_key,
    VIDEO_ID: service.ready.id,
    RECEIVER_URL: service.receiverUrl,
    SILENT_URL: service.silentUrl,
    PICTURE: service.picturePath,
    NAME: title,
  })
  const expected = expectedCalls(service, title)
  compareCalls(output, expected, lacks)
  const { made, refused } = expected
  const left = lacks.length > 0 ? `, without ${lacks.join(' and ')}` : ''
  return `${made.size - lacks.length} calls and ${refused.size} refused ones${left}`
}

await main(process.argv.slice(2))
