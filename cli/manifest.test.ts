import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cliHarness, cliProcess, startCli } from '../test/fixtures/cli.ts'
import {
  cloudflareDownload,
  cloudflareVideo,
  startCloudflareDouble,
  type CloudflareAccount,
} from '../test/fixtures/services/cloudflare-double.ts'
import type { ServiceDouble } from '../test/fixtures/services/service-double.ts'
import { startVimeoDouble, vimeoVideo } from '../test/fixtures/services/vimeo-double.ts'
import { waitFor } from '../test/infrastructure/wait-for.ts'

const ACCOUNT = 'b'.repeat(32)
/** Processes of their own take long to start on a busy machine. */
const BUSY_MS = 240_000
const SECRET = 'cloudflare-very-secret'
const VTT = 'WEBVTT\n\n00:00.000 --> 00:01.000\nHi'
const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'ar', 'it', 'nl', 'pl', 'sv']
const ENV = { CLOUDFLARE_API_TOKEN: SECRET, CLOUDFLARE_ACCOUNT_ID: ACCOUNT }

let account: CloudflareAccount
let double: ServiceDouble
let base: string
let output: string

beforeEach(async () => {
  account = {
    accountId: ACCOUNT,
    token: SECRET,
    mayWrite: true,
    videos: [],
    downloads: {},
    captions: {},
    inProgressFor: 0,
    startIsInRange: true,
  }
  double = await startCloudflareDouble(account)
  base = await mkdtemp(join(tmpdir(), 'reelgate-cli-manifest-'))
  output = join(base, 'videos.ndjson')
})
afterEach(async () => {
  await double.close()
  await rm(base, { recursive: true })
})

function add(uid: string, second: number): void {
  account.videos.push(cloudflareVideo(uid, second))
  account.downloads[uid] = cloudflareDownload(uid)
  account.captions[uid] = [{ language: 'en', label: 'English', content: VTT }]
}

const args = () => ['manifest', 'cloudflare', '--output', output, '--api', double.api.href]

describe('reelgate manifest', () => {
  it(
    'writes a manifest, and nothing of it holds the credentials',
    async () => {
      add('v1', 0)
      add('v2', 1)
      const run = await cliProcess(ENV)(...args())
      expect(run).toMatchObject({ status: 0, stderr: '' })
      expect(run.stdout).toContain(`Wrote 2 videos to ${output}; left out: 0, incomplete: 0.`)
      const text = await readFile(output, 'utf8')
      expect(text.split('\n')).toHaveLength(3)
      expect(text + run.stdout).not.toContain(SECRET)
      expect(await readdir(base)).toEqual(['videos-files', 'videos.ndjson'])
    },
    BUSY_MS,
  )

  it('ends with 1 if a video is left out, and has written the others', async () => {
    add('v1', 0)
    account.videos.push(cloudflareVideo('v2', 1))
    const run = await cliHarness(ENV)(...args(), '--json')
    expect(run.status).toBe(1)
    expect(run.stdout.split('\n').map((line) => JSON.parse(line) as object)).toMatchObject([
      { object: 'manifest_video', external_id: 'cloudflare:v2', result: 'left_out' },
      { object: 'manifest', service: 'cloudflare', lines: 1, left_out: 1, links_expire_at: null },
    ])
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: 'manifest_incomplete' } })
  })

  it(
    'that was killed leaves the earlier manifest and whole captions, which the next run keeps',
    async () => {
      add('v1', 0)
      account.captions['v1'] = LANGUAGES.map((language) => ({ language, content: VTT }))
      await writeFile(output, 'earlier\n')
      const running = startCli(ENV, ...args())
      const captionsAsked = () =>
        double.requests.filter(({ url }) => url.pathname.endsWith('/vtt')).length
      await waitFor('a caption', async () => captionsAsked() > 4)
      await running.kill()
      expect(await readFile(output, 'utf8')).toBe('earlier\n')
      const folder = join(base, 'videos-files')
      const kept = (await readdir(folder)).filter((name) => name.endsWith('.vtt'))
      expect(kept.length).toBeGreaterThan(2)
      for (const name of kept) expect(await readFile(join(folder, name), 'utf8')).toBe(VTT)
      const before = captionsAsked()
      expect((await cliProcess(ENV)(...args())).status).toBe(0)
      const line = JSON.parse(await readFile(output, 'utf8')) as { captions: object[] }
      expect(line.captions).toHaveLength(LANGUAGES.length)
      expect(captionsAsked() - before).toBe(LANGUAGES.length - kept.length)
    },
    BUSY_MS,
  )

  it(
    'ends at Ctrl-C without a manifest',
    async () => {
      for (let index = 0; index < 20; index += 1) add(`v${index}`, index)
      const running = startCli(ENV, ...args())
      await waitFor('a request', async () => double.requests.length > 3)
      expect(await running.interrupt()).toBe(1)
      expect(running.output()).toContain('Interrupted: no manifest was written.')
      expect(await readdir(base)).not.toContain('videos.ndjson')
      expect((await readdir(base)).filter((name) => name.endsWith('.part'))).toEqual([])
    },
    BUSY_MS,
  )

  it.each([
    ['is not set', { CLOUDFLARE_ACCOUNT_ID: '' }, 'CLOUDFLARE_ACCOUNT_ID is not set.'],
    ['cannot be sent', { CLOUDFLARE_API_TOKEN: 'two words' }, 'printable characters'],
  ])('needs each of its variables: one %s', async (_what, more, words) => {
    const run = await cliHarness({ ...ENV, ...more })(...args(), '--json')
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: 'invalid_configuration' } })
    expect(run.stderr).toContain(words)
    expect(run.stderr).not.toContain('two words')
  })

  it.each(['http://api.example', 'ftp://127.0.0.1', 'api.example'])(
    'sends credentials to no address without TLS: %s',
    async (api) => {
      const run = await cliHarness(ENV)('manifest', 'cloudflare', '--output', output, '--api', api)
      expect(run.status).toBe(2)
      expect(run.stderr).toContain(
        'It must be an https address, or an http address of this machine.',
      )
    },
  )

  it('needs a folder that is there', async () => {
    const missing = join(base, 'missing', 'videos.ndjson')
    const run = await cliHarness(ENV)(
      'manifest',
      'cloudflare',
      '--output',
      missing,
      '--api',
      double.api.href,
    )
    expect(run.status).toBe(1)
    expect(run.stderr).toContain(`The folder of ${missing} does not exist.`)
  })

  it('says when links end, and prepares nothing where there is nothing to prepare', async () => {
    const vimeo = await startVimeoDouble({
      token: 'vimeo-secret',
      scope: 'public private video_files',
      videos: [vimeoVideo(1)],
      textTracks: {},
      chapters: {},
      limits: {},
    })
    const cli = cliHarness({ VIMEO_ACCESS_TOKEN: 'vimeo-secret' })
    const place = ['manifest', 'vimeo', '--output', output, '--api', vimeo.api.href]
    const run = await cli(...place)
    expect(run.status).toBe(0)
    expect(run.stdout).toContain(
      'Its links end from 2030-01-02 00:00:00 UTC on: import it before. The same command renews them.',
    )
    expect((await cli(...place, '--prepare')).status).toBe(2)
    await vimeo.close()
  })
})
