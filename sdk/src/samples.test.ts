import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDocument } from '../../api/openapi/document.ts'
import { SAMPLES } from '../../api/openapi/sample-calls.ts'
import { OPERATIONS } from '../../api/operations.ts'
import { SCOPES } from '../../domain/accounts/scopes.ts'
import { packSdk, type PackedSdk } from '../../test/fixtures/packed-sdk.ts'
import { setUpSdkFixture } from '../../test/fixtures/sdk.ts'

const t = setUpSdkFixture()
let packed: PackedSdk

beforeAll(async () => void (packed = await packSdk()))
afterAll(() => packed.remove())

interface Sample {
  id: string
  method: string
  path: RegExp
  curl: string
  sdk: string
}

interface Documented {
  operationId: string
  'x-codeSamples': { label: string; source: string }[]
}

/** Returns the samples in the document of an API at `base`. */
function samplesAt(base: string): Sample[] {
  const { paths = {} } = buildDocument(OPERATIONS, base)
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Documented>).map(([method, operation]) => {
      const sourceOf = (label: string) =>
        operation['x-codeSamples'].find((sample) => sample.label === label)?.source ?? ''
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`),
        curl: sourceOf('curl'),
        sdk: sourceOf('SDK'),
      }
    }),
  )
}

/** The expected errors for an account without these rows, and for hosts that do not exist. */
const EXPECTED_REFUSAL = /^((?!route)\w+_not_found|source_unreachable|webhook_url_unreachable)$/

describe('the samples of the reference', () => {
  it('exist for every operation, and for no other', () => {
    expect(Object.keys(SAMPLES).toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted())
    for (const { curl, sdk } of samplesAt('https://api.example'))
      expect([curl, sdk]).toEqual([
        expect.stringMatching(/^curl/),
        expect.stringMatching(/^import/),
      ])
  })

  it('of the SDK type check against the package', async () => {
    const [head = ''] = samplesAt('https://api.example').map(
      ({ sdk }) => sdk.split('\nconst re')[0],
    )
    const blocks = samplesAt('https://api.example').map(
      ({ sdk }) => `{${sdk.slice(head.length)}\n}`,
    )
    const code = [head, ...blocks].join('\n')
    expect(await packed.typeCheck({ 'samples.ts': code })).toEqual({ 'samples.ts': '' })
  }, 180_000)

  it('of the SDK call their operation, and the API accepts them', async () => {
    const key = await t.api.keyFor(t.api.ours.id, SCOPES)
    const samples = samplesAt(t.front.url)
    const blocks = samples.map(({ sdk }) => {
      const body = sdk.slice(sdk.indexOf('const reelgate'), sdk.indexOf('\nconsole.log'))
      return `try {\n${body}\ncodes.push(null) } catch ({ code }) { codes.push(code ?? 'none') }`
    })
    const code = [
      `import { Reelgate } from '@reelgate/sdk'`,
      'const codes = []',
      ...blocks,
      'console.log(JSON.stringify(codes))',
    ].join('\n')
    const start = t.front.seen.length
    const printed = await packed.runInNode(code, { REELGATE_API_KEY: key }, 'module-typescript')
    const codes = JSON.parse(printed) as (string | null)[]
    samples.forEach(({ id, method, path }, at) => {
      const refusal = codes[at]
      expect([id, refusal]).toEqual([id, refusal && expect.stringMatching(EXPECTED_REFUSAL)])
      const seen = t.front.seen[start + at]
      expect([id, seen]).toMatchObject([id, { method, path: expect.stringMatching(path) }])
    })
  })

  it('of curl are accepted by the API unchanged', async () => {
    const key = await t.api.keyFor(t.api.theirs.id, SCOPES)
    const env = { ...process.env, REELGATE_API_KEY: key, PICTURE: 'package.json' }
    const samples = samplesAt(t.front.url)
    const start = t.front.seen.length
    // In one shell, each response on a line of its own.
    const script = samples.map(({ curl }) => `${curl} -s; echo`).join('\n')
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { env })
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(samples.length)
    samples.forEach(({ id, method, path }, at) => {
      const { error } = JSON.parse(lines[at] ?? '') as { error?: { code: string } }
      const code = error?.code ?? null
      expect([id, code]).toEqual([id, code && expect.stringMatching(EXPECTED_REFUSAL)])
      expect(t.front.seen[start + at]).toMatchObject({ method, path: expect.stringMatching(path) })
    })
  })
})
