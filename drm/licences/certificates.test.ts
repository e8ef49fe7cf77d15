import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startLicenceFixture, type LicenceFixture } from '../../test/fixtures/licences.ts'
import { certificateExpiry } from './certificates.ts'

const DAY_MS = 86_400_000
let fixture: LicenceFixture
let folder: string
/** What the server of certificates returns. */
let reply: { status: number; body: Buffer | string }
let asked = 0
let url: string

beforeAll(async () => {
  fixture = await startLicenceFixture()
  folder = await mkdtemp(join(tmpdir(), 'reelgate-certificates-'))
  fixture.network.dns.set('certificates.test', ['127.0.0.1'])
  const { port } = await fixture.network.serveHttps(['certificates.test'], (_request, response) => {
    asked += 1
    response.writeHead(reply.status).end(reply.body)
  })
  url = `https://certificates.test:${port}/fairplay.cer?secret=in-url`
})
afterAll(async () => {
  await fixture?.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  asked = 0
})

/** A certificate that ends after these days, as DER. */
async function certificate(days: number): Promise<Buffer> {
  const notAfter = new Date(Date.now() + days * DAY_MS)
  const { cert } = await fixture.network.authority.issue(['fairplay.test'], { notAfter })
  return Buffer.from(new X509Certificate(cert).raw)
}

const open = (source: string) =>
  fixture.open('axinom', 'provider', { DRM_FAIRPLAY_CERTIFICATE: source }).adapter

const warnings = () => fixture.logged().split('\n').at(-1)

describe('a FairPlay certificate', () => {
  it.each<[string, (der: Buffer) => Buffer | string]>([
    ['DER', (der) => der],
    ['base64', (der) => `${der.toString('base64')}\n`],
    ['PEM', (der) => new X509Certificate(der).toString()],
  ])('is DER for the player, from a file or an address with %s', async (_form, encode) => {
    const der = await certificate(400)
    reply = { status: 200, body: encode(der) }
    const file = join(folder, 'fairplay.cer')
    await writeFile(file, encode(der))
    for (const source of [file, url])
      expect(await open(source).certificate('fairplay')).toEqual(der)
  })

  it('is fetched once for all readers', async () => {
    reply = { status: 200, body: await certificate(400) }
    const adapter = open(url)
    const readers = await Promise.all([1, 2, 3].map(() => adapter.certificate('fairplay')))
    await adapter.certificate('fairplay')
    expect(asked).toBe(1)
    expect(readers.every((one) => one?.equals(readers[0] ?? Buffer.alloc(0)))).toBe(true)
  })

  it.each([
    [12, 'ends soon'],
    [-3, 'has ended'],
  ])('that ends in %s days is reported in the log', async (days, words) => {
    const der = await certificate(days)
    reply = { status: 200, body: der }
    expect(await open(url).certificate('fairplay')).toEqual(der)
    expect(warnings()).toContain(words)
    const left = (certificateExpiry(der)?.getTime() ?? 0) - Date.now()
    expect(Math.round(left / DAY_MS)).toBe(days)
  })

  it.each<[string, { status: number; body: string }]>([
    ['an error', { status: 500, body: 'x' }],
    ['a page', { status: 200, body: '<html>secret-of-theirs</html>' }],
    ['nothing', { status: 200, body: '' }],
  ])('is not %s, which is asked for again only later and never quoted', async (_title, wrong) => {
    reply = wrong
    const adapter = open(url)
    expect(await adapter.certificate('fairplay')).toBeNull()
    expect(await adapter.certificate('fairplay')).toBeNull()
    expect(asked).toBe(1)
    expect(warnings()).toContain('is not available')
    for (const secret of ['secret-of-theirs', 'in-url', 'certificates.test'])
      expect(fixture.logged()).not.toContain(secret)
  })

  it('does not exist for a file that is missing or no address at all', async () => {
    expect(await open(join(folder, 'missing.cer')).certificate('fairplay')).toBeNull()
    expect(await fixture.open('axinom').adapter.certificate('fairplay')).toBeNull()
  })

  it('may be a bundle, whose end is not known', () => {
    expect(certificateExpiry(Buffer.from('a bundle of certificates'))).toBeNull()
  })
})

describe('the Widevine service certificate', () => {
  it.each(['axinom', 'doverunner', 'drmtoday', 'generic'] as const)(
    'comes from the licence server of %s with an entitlement without keys',
    async (name) => {
      const { server } = fixture.providers[name]
      server.reset()
      const { adapter } = fixture.open(name)
      expect((await adapter.certificate('widevine'))?.subarray(0, 2)).toEqual(Buffer.from([8, 5]))
      expect(server.seen).toMatchObject([{ denial: null, body: Buffer.from([8, 4]) }])
      expect(server.seen[0]?.entitled?.keys).toEqual([])
    },
  )
})
