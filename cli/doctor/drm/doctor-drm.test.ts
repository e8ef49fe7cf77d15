import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../../config/config.ts'
import type { LicenceProviderName } from '../../../drm/licences/open-licences.ts'
import { cliHarness } from '../../../test/fixtures/cli.ts'
import { startLicenceFixture, type LicenceFixture } from '../../../test/fixtures/licences.ts'
import { someOf } from '../../../test/infrastructure/every-case.ts'
import {
  keyServerListener,
  type KeyServerOptions,
} from '../../../test/infrastructure/key-server/key-server.ts'
import { examineDrm, isUsable } from './examine-drm.ts'
import type { DrmFinding } from './finding.ts'
import { askForKeys } from './keys.ts'
import { packageVideo } from './video.ts'

const DAY_MS = 86_400_000
const SECRET = 'secret-of-ours'

let fixture: LicenceFixture
let folder: string
let certificateFile: string
let keyServerUrl: string
/** How the key server behaves, and the bodies that it has got. */
let keyServer: KeyServerOptions
let asked: string[]
/** The Date header of the server of `clock.test`. */
let dateMs: number
let clockUrl: string
/** The statuses of a server that may have no licences. */
let elsewhere: { HEAD: number; POST: number }
let elsewhereUrl: string

beforeAll(async () => {
  fixture = await startLicenceFixture()
  folder = await mkdtemp(join(tmpdir(), 'reelgate-doctor-drm-'))
  certificateFile = await certificate(400)
  const { network, providers } = fixture
  for (const host of ['keys.test', 'clock.test', 'elsewhere.test'])
    network.dns.set(host, ['127.0.0.1'])
  const listener = keyServerListener(
    () => keyServer,
    ({ method, body }) => void (method === 'POST' && asked.push(body)),
  )
  const { port } = await network.serveHttps(['keys.test'], listener)
  keyServerUrl = `https://keys.test:${port}/speke?secret=in-url`
  const clock = await network.serveHttps(['clock.test'], (request, response) => {
    response.setHeader('Date', new Date(dateMs).toUTCString())
    providers.axinom.server.listener(request, response)
  })
  clockUrl = `https://clock.test:${clock.port}/widevine`
  const other = await network.serveHttps(['elsewhere.test'], ({ method }, response) => {
    response.writeHead(method === 'POST' ? elsewhere.POST : elsewhere.HEAD).end()
  })
  elsewhereUrl = `https://elsewhere.test:${other.port}/playready`
}, 60_000)
afterAll(async () => {
  await fixture?.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  keyServer = { expects: { kind: 'basic', username: 'reelgate', password: SECRET } }
  asked = []
  for (const { server } of Object.values(fixture.providers)) server.reset()
})

/** Writes a certificate that ends after these days; returns its file. */
async function certificate(days: number): Promise<string> {
  const notAfter = new Date(Date.now() + days * DAY_MS)
  const { cert } = await fixture.network.authority.issue(['fairplay.test'], { notAfter })
  const file = join(folder, `${days}.cer`)
  await writeFile(file, new X509Certificate(cert).raw)
  return file
}

/** The environment of an operator whose configuration is complete. */
function environment(
  provider: LicenceProviderName,
  change: Record<string, string> = {},
): Record<string, string> {
  const variables = {
    DRM_SPEKE_URL: keyServerUrl,
    DRM_SPEKE_AUTH: 'basic',
    DRM_SPEKE_USERNAME: 'reelgate',
    DRM_SPEKE_PASSWORD: SECRET,
    DRM_LICENCE_PROVIDER: provider,
    DRM_FAIRPLAY_CERTIFICATE: certificateFile,
    ...fixture.providers[provider].variables,
    ...change,
  }
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value ?? '']))
}

async function examine(
  change: Record<string, string> = {},
  provider: LicenceProviderName = 'axinom',
) {
  const checks = await examineDrm(
    loadConfig(environment(provider, change)),
    fixture.network.egress(),
  )
  const secrets = [SECRET, 'in-url', 'secret-of-theirs', ...fixture.providers[provider].secrets]
  for (const secret of secrets) expect(JSON.stringify(checks)).not.toContain(secret)
  const find = (name: string): DrmFinding => {
    const found = checks.find((one) => one.name === name)
    if (!found) throw new Error(`there is no check ${name}`)
    return found
  }
  const failed = checks.filter(({ result }) => result === 'failed').map(({ name }) => name)
  return { checks, find, failed, isOk: isUsable(checks) }
}

/** Saves the video where only licences matter. */
const WITHOUT_KEYS = { DRM_SPEKE_URL: '' }
/** Packages the test video with one key instead of four. */
const ONE_KEY = { DRM_KEYS: 'all-shared' }

const NAMES = [
  'keys',
  'signalling',
  'video',
  'licence provider',
  'widevine licences',
  'playready licences',
  'fairplay licences',
  'widevine certificate',
  'fairplay certificate',
  'clocks',
]

describe('doctor drm', () => {
  it.each(someOf(['axinom', 'doverunner', 'drmtoday', 'generic'] as const, 4))(
    'passes every check of a complete configuration with %s and asks for no licence',
    async (provider) => {
      const change = provider === 'axinom' ? {} : ONE_KEY
      const { checks, isOk } = await examine(change, provider)
      expect(checks.map(({ name }) => name)).toEqual(NAMES)
      expect(checks.filter(({ result }) => result !== 'ok')).toEqual([])
      expect(isOk).toBe(true)
      const { seen } = fixture.providers[provider].server
      const challenges = seen.filter(({ body }) => body.length > 0).map(({ body }) => body)
      expect(challenges).toEqual([Buffer.from([8, 4])])
    },
    120_000,
  )

  it('says whose keys the licences have, and how Safari plays', async () => {
    const change = {
      ...ONE_KEY,
      ...WITHOUT_KEYS,
      DRM_KEY_MODEL: 'own',
      DRM_FAIRPLAY_DELIVERY: 'hls',
    }
    const { find } = await examine(change)
    expect(find('licence provider').detail).toBe(
      'axinom: widevine, playready, fairplay; keys of our own; FairPlay over hls',
    )
  }, 60_000)

  it('asks the key server for the same keys in each run, and for none with keys of our own', async () => {
    const first = await examine(ONE_KEY)
    await examine(ONE_KEY)
    expect(asked).toHaveLength(2)
    expect(asked[0]).toBe(asked[1])
    expect(first.find('keys').detail).toBe('ALL: from keys.test')
    expect(first.find('video').detail).toMatch(/^ALL: packaged/)
    const own = await examine({ DRM_KEY_MODEL: 'own', DRM_SPEKE_URL: '' })
    expect(own.find('keys').detail).toBe('AUDIO, SD, HD, UHD: made here')
    expect(own.find('signalling').detail).toMatch(
      /; a play asks for one licence, with fairplay for one for each key$/,
    )
    expect([own.isOk, asked.length]).toEqual([true, 2])
  }, 120_000)

  it.each<[string, () => KeyServerOptions, string, RegExp, RegExp]>([
    [
      'wrong credentials',
      () => ({ expects: { kind: 'basic', username: 'reelgate', password: 'other' } }),
      'keys',
      /does not accept the credentials of this installation: status 401/,
      /DRM_SPEKE_AWS_SESSION_TOKEN/,
    ],
    [
      'another address',
      () => ({ edit: (response) => ({ ...response, status: 302 }) }),
      'keys',
      /no key server at the configured address: status 302/,
      /DRM_SPEKE_URL.*redirects/,
    ],
    [
      'an outage',
      () => ({ edit: (response) => ({ ...response, status: 503 }) }),
      'keys',
      /status 503/,
      /whether the provider works/,
    ],
    [
      'an incomplete response',
      () => ({
        edit: (response) => ({
          ...response,
          body: response.body.replaceAll('pskc:PlainValue', 'pskc:None'),
        }),
      }),
      'keys',
      /./,
      /send this line to the provider/,
    ],
    [
      'mixed-up signalling',
      () => ({ mixesUpKeys: true }),
      'signalling',
      /names another key$/,
      /contradicts itself/,
    ],
  ])(
    'names the cause and the remedy of %s at the key server',
    async (_what, options, name, detail, remedy) => {
      keyServer = options()
      const { find, isOk } = await examine()
      expect(isOk).toBe(false)
      const { result, detail: found, remedy: advice } = find(name)
      expect(result).toBe('failed')
      expect(found).toMatch(detail)
      expect(advice).toMatch(remedy)
      if (name === 'keys') expect(find('video')).toMatchObject({ result: 'not_checked' })
    },
    60_000,
  )

  it('reports a video whose files do not have the IV of their key', async () => {
    const [key] = await askForKeys(
      loadConfig({ DRM_KEY_MODEL: 'own', DRM_KEYS: 'video-shared' }),
      fixture.network.egress(),
    )
    if (!key) throw new Error('no key')
    const packaging = packageVideo([{ ...key, ivHex: null }])
    await expect(packaging).rejects.toThrow('AUDIO: the init segment has another IV')
  }, 60_000)

  it.each<[string, Record<string, string>, string, RegExp, RegExp]>([
    [
      'a missing variable',
      { DRM_AXINOM_COM_KEY: '' },
      'licence provider',
      /^DRM_AXINOM_COM_KEY: is needed/,
      /Correct the variable/,
    ],
    [
      'keys that the provider does not take',
      {
        ...ONE_KEY,
        DRM_LICENCE_PROVIDER: 'drmtoday',
        DRM_KEY_MODEL: 'own',
        DRM_DRMTODAY_MERCHANT: 'm',
        DRM_DRMTODAY_SECRET: Buffer.alloc(32).toString('base64'),
      },
      'licence provider',
      /takes no keys of others/,
      /Correct the variable/,
    ],
    [
      'an unknown host',
      { DRM_WIDEVINE_URL: 'https://none.test/' },
      'widevine licences',
      /./,
      /host name.*DRM_WIDEVINE_URL/,
    ],
    [
      'a private address',
      { DRM_PLAYREADY_URL: 'https://10.0.0.1/' },
      'playready licences',
      /./,
      /EGRESS_ALLOWED_NETWORKS/,
    ],
    [
      'wrong credentials',
      { DRM_AXINOM_COM_KEY: Buffer.alloc(32, 1).toString('base64') },
      'widevine certificate',
      /refused/,
      /credentials/,
    ],
    [
      'a Widevine certificate that is another file',
      { DRM_WIDEVINE_CERTIFICATE: import.meta.filename },
      'widevine certificate',
      /not a certificate of a Widevine licence service/,
      /DRM_WIDEVINE_CERTIFICATE/,
    ],
    [
      'no certificate',
      { DRM_FAIRPLAY_CERTIFICATE: '' },
      'fairplay certificate',
      /there is none/,
      /DRM_FAIRPLAY_CERTIFICATE/,
    ],
    [
      'no file',
      { DRM_FAIRPLAY_CERTIFICATE: '/none/fairplay.cer' },
      'fairplay certificate',
      /ENOENT/,
      /DRM_FAIRPLAY_CERTIFICATE/,
    ],
  ])(
    'names the cause and the remedy of %s',
    async (_what, change, name, detail, remedy) => {
      const { find, failed } = await examine({ ...WITHOUT_KEYS, ...change })
      expect(failed).toContain(name)
      const finding = find(name)
      expect(finding.result).toBe('failed')
      expect(finding.detail).toMatch(detail)
      expect(finding.remedy).toMatch(remedy)
    },
    60_000,
  )

  it('reports a certificate that has ended, and one that ends within a month', async () => {
    const ended = await examine({
      ...WITHOUT_KEYS,
      DRM_FAIRPLAY_CERTIFICATE: await certificate(-3),
    })
    expect(ended.find('fairplay certificate')).toMatchObject({
      result: 'failed',
      detail: expect.stringMatching(/^it ended on \d{4}-\d\d-\d\d$/),
    })
    const ending = await examine({
      ...WITHOUT_KEYS,
      DRM_FAIRPLAY_CERTIFICATE: await certificate(9),
    })
    expect(ending.find('fairplay certificate')).toMatchObject({
      result: 'ok',
      remedy: expect.stringContaining('renewed'),
    })
    expect([ended.failed, ending.failed]).toEqual([['fairplay certificate'], []])
  }, 60_000)

  it('reports an address without a licence server, unless only reading is not possible there', async () => {
    for (const [status, result] of [
      [{ HEAD: 404, POST: 404 }, 'failed'],
      [{ HEAD: 302, POST: 302 }, 'failed'],
      [{ HEAD: 404, POST: 400 }, 'ok'],
    ] as const) {
      elsewhere = status
      const { find } = await examine({ ...WITHOUT_KEYS, DRM_PLAYREADY_URL: elsewhereUrl })
      expect(find('playready licences').result).toBe(result)
      if (result === 'failed')
        expect(find('playready licences')).toMatchObject({
          detail: `elsewhere.test has no licence server at this address (HTTP ${status.POST})`,
          remedy: expect.stringContaining('DRM_PLAYREADY_URL'),
        })
    }
  }, 60_000)

  it('reports a server whose gateway has no licence server, and one that breaks off', async () => {
    const { server } = fixture.providers.axinom
    for (const [how, detail] of [
      ['outage', /responds with HTTP 502/],
      ['cut', /./],
    ] as const) {
      server.misbehave(how)
      const { find, failed } = await examine(WITHOUT_KEYS)
      expect(failed).toEqual(expect.arrayContaining(['widevine licences', 'fairplay licences']))
      expect(find('fairplay licences').detail).toMatch(detail)
    }
  }, 120_000)

  it('compares the clocks of the servers with that of this machine', async () => {
    const change = {
      ...WITHOUT_KEYS,
      DRM_WIDEVINE_URL: clockUrl,
      DRM_PLAYREADY_URL: '',
      DRM_FAIRPLAY_URL: '',
    }
    dateMs = Date.now() + 90_000
    const ahead = await examine(change)
    expect(ahead.find('clocks')).toMatchObject({
      result: 'failed',
      detail: expect.stringMatching(/^this machine and clock\.test are at least (8\d|90) s apart$/),
      remedy: expect.stringContaining('NTP'),
    })
    dateMs = Date.now()
    const inStep = await examine(change)
    expect(inStep.find('clocks')).toMatchObject({ result: 'ok' })
    expect(inStep.find('fairplay licences')).toMatchObject({ result: 'not_configured' })
    expect([ahead.failed, inStep.failed]).toEqual([['clocks'], []])
  }, 60_000)
})

describe('reelgate doctor drm', () => {
  it('prints a line for each check with its remedy, or JSON, and exits with 1 if Multi-DRM cannot work', async () => {
    const bare = cliHarness({ DRM_SPEKE_URL: '', DRM_LICENCE_PROVIDER: '' })
    const text = await bare('doctor', 'drm')
    expect(text.status).toBe(1)
    expect(text.stdout).toMatch(
      /^keys +not configured +there is no source of keys\. Set DRM_SPEKE_URL/m,
    )
    expect(text.stdout).toMatch(/^video +not checked +needs keys\. Fix keys first\.$/m)
    expect(text.stdout.split('\n')).toHaveLength(NAMES.length + 1)
    expect(text.stderr).toMatch(/^reelgate: Multi-DRM does not work: keys, /)
    const { PATH = '' } = process.env
    const noServer = cliHarness({
      ...environment('axinom', { ...ONE_KEY, DRM_KEY_MODEL: 'own', DRM_SPEKE_URL: '', PATH }),
      DRM_WIDEVINE_URL: 'https://10.0.0.1/',
      DRM_PLAYREADY_URL: '',
      DRM_FAIRPLAY_URL: '',
    })
    const json = await noServer('doctor', 'drm', '--json')
    expect(json.status).toBe(1)
    const { ok, checks } = json.json<{ ok: boolean; checks: DrmFinding[] }>()
    expect(ok).toBe(false)
    expect(checks.map(({ name }) => name)).toEqual(NAMES)
    expect(checks.slice(0, 3).map(({ result }) => result)).toEqual(['ok', 'ok', 'ok'])
    expect(JSON.parse(json.stderr)).toMatchObject({
      error: {
        code: 'checks_failed',
        message: expect.not.stringContaining('fairplay'),
      },
    })
  }, 60_000)
})
