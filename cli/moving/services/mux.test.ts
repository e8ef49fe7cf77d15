import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  makeManifestFolder,
  testClient,
  type ManifestFolder,
} from '../../../test/fixtures/services/manifest-folder.ts'
import {
  muxAsset,
  startMuxDouble,
  type MuxEnvironment,
} from '../../../test/fixtures/services/mux-double.ts'
import type { ServiceDouble } from '../../../test/fixtures/services/service-double.ts'
import { captureError } from '../../../test/infrastructure/test-network.ts'
import { mux, muxHeaders } from './mux.ts'

let environment: MuxEnvironment
let double: ServiceDouble
let folder: ManifestFolder

beforeEach(async () => {
  environment = {
    tokenId: 'id',
    tokenSecret: 'mux-secret',
    mayWrite: true,
    assets: [],
    preparingFor: 2,
  }
  double = await startMuxDouble(environment)
  folder = await makeManifestFolder()
})
afterEach(async () => {
  await double.close()
  await folder.remove()
})

const open = (prepare = false, secret = 'mux-secret') => {
  const { client, waits } = testClient(double.api, muxHeaders('id', secret))
  return { service: mux(client, { prepare }), waits }
}

const master = (id: string) => ({
  master_access: 'temporary',
  master: { status: 'ready', url: `https://mezzanine.mux.com/${id}/master.mp4` },
})

describe('a manifest of the assets at Mux', () => {
  it('has what Mux knows of each', async () => {
    environment.assets = [
      muxAsset('a1', {
        ...master('a1'),
        meta: { title: 'Tides', external_id: 'course-7', creator_id: 'anna' },
        passthrough: 'lesson',
      }),
    ]
    const { line, result } = await folder.make(open().service)
    expect(line('mux:a1')).toMatchObject({
      source: { kind: 'link', url: 'https://mezzanine.mux.com/a1/master.mp4' },
      title: 'Tides',
      createdAt: '2021-01-05T17:46:08.000Z',
      oldUrl: 'https://player.mux.com/publica1',
      captions: null,
      poster: null,
      metadata: {
        mux_file: 'master',
        mux_playback_id: 'publica1',
        mux_passthrough: 'lesson',
        mux_external_id: 'course-7',
        mux_creator_id: 'anna',
      },
    })
    const hours = ((result.expiresAt?.getTime() ?? 0) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23)
    expect(hours).toBeLessThan(25)
  })

  it('changes nothing at Mux, and leaves out what has no file', async () => {
    const files = [
      { name: '720p.mp4', ext: 'mp4', status: 'ready', height: 720 },
      { name: 'highest.mp4', ext: 'mp4', status: 'ready', height: 1_440 },
      { name: '2160p.mp4', ext: 'mp4', status: 'preparing', height: 2_160 },
      { name: 'audio.m4a', ext: 'm4a', status: 'ready' },
    ]
    const signed = [{ id: 'signed', policy: 'signed' }]
    environment.assets = [
      muxAsset('none'),
      muxAsset('file', { static_renditions: { files } }),
      muxAsset('old', {
        static_renditions: { status: 'ready', files: [{ name: 'high.mp4', ext: 'mp4' }] },
      }),
      muxAsset('signed', { static_renditions: { files }, playback_ids: signed }),
    ]
    const { line, lines, result, printed } = await folder.make(open().service)
    expect(lines).toHaveLength(2)
    expect(line('mux:file')).toMatchObject({
      source: { url: 'https://stream.mux.com/publicfile/highest.mp4' },
      metadata: { mux_file: 'highest.mp4' },
    })
    expect(line('mux:old')?.source).toMatchObject({
      url: 'https://stream.mux.com/publicold/high.mp4',
    })
    expect(result).toMatchObject({ leftOut: 2, expiresAt: null })
    expect(printed).toContain('mux:none: left out. It has neither a master')
    expect(printed).toContain('Its links do not end.')
    expect(double.requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  it('has masters that Mux was asked for with prepare, once they are made', async () => {
    environment.assets = [
      muxAsset('a1'),
      muxAsset('a2', { ...master('a2') }),
      muxAsset('a3', { refusesMaster: true }),
      muxAsset('a4', { status: 'errored' }),
      muxAsset('a5', { is_live: true }),
    ]
    const { service, waits } = open(true)
    const { lines, printed } = await folder.make(service)
    expect(lines.map(({ externalId }) => externalId)).toEqual(['mux:a1', 'mux:a2'])
    expect(lines[0]?.source).toMatchObject({
      url: 'https://mezzanine.mux.com/a1/master.mp4?skid=x',
    })
    expect(waits).toEqual([5_000, 5_000, 5_000])
    const puts = double.requests.filter(({ method }) => method === 'PUT')
    expect(puts.map(({ url }) => url.pathname)).toEqual([
      '/assets/a1/master-access',
      '/assets/a3/master-access',
    ])
    expect(printed).toContain('mux:a3: left out. The double responds to /assets/a3/master-access')
    expect(printed).toContain('mux:a4: left out. Its status at Mux is errored.')
    expect(printed).toContain('mux:a5: left out. Its status at Mux is live.')
  })

  it('waits for a master half an hour, and then leaves it out', async () => {
    environment.preparingFor = Infinity
    environment.assets = [muxAsset('a1')]
    const { service, waits } = open(true)
    const { result, printed } = await folder.make(service)
    expect(result).toMatchObject({ lines: 0, leftOut: 1 })
    expect(printed).toContain('Mux has not made its master yet, or failed to.')
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(30 * 60_000)
  })

  it('has the assets of every page once', async () => {
    environment.assets = Array.from({ length: 250 }, (_, index) =>
      muxAsset(`a${index}`, master(`a${index}`)),
    )
    const { lines } = await folder.make(open().service)
    expect(new Set(lines.map(({ externalId }) => externalId)).size).toBe(250)
    expect(double.requests).toHaveLength(3)
  })

  it('says that captions need a public playback id', async () => {
    const tracks = [
      { id: 't1', type: 'text', text_type: 'subtitles', status: 'ready', language_code: 'en' },
      { id: 't2', type: 'text', text_type: 'subtitles', status: 'preparing', language_code: 'de' },
    ]
    environment.assets = [
      muxAsset('a1', { ...master('a1'), tracks, playback_ids: [{ id: 's', policy: 'signed' }] }),
    ]
    const { lines, result, printed } = await folder.make(open().service)
    expect(lines).toHaveLength(1)
    expect(result).toMatchObject({ incomplete: 1, leftOut: 0 })
    expect(printed).toContain(
      'mux:a1: incomplete. The caption en is missing. It can be read only with a public playback id.',
    )
  })

  it('is not made with wrong credentials, nor prepared without the right to write', async () => {
    expect(await captureError(folder.make(open(false, 'wrong').service))).toMatchObject({
      code: 'credentials_refused',
    })
    environment.mayWrite = false
    environment.assets = [muxAsset('a1')]
    expect(await captureError(folder.make(open(true).service))).toMatchObject({
      code: 'credentials_refused',
    })
  })

  it('leaves out an asset that is not as documented', async () => {
    environment.assets = [
      muxAsset('a1', { playback_ids: [{ id: '../x', policy: 'public' }] }),
      muxAsset('../../etc', { playback_ids: [], tracks: [] }),
      muxAsset('a2', master('a2')),
    ]
    const { lines, printed } = await folder.make(open().service)
    expect(lines).toHaveLength(1)
    expect(printed).toContain(
      'mux:a1: left out. The record is not as documented: playback_ids.0.id.',
    )
    expect(printed).toContain('mux:../../etc: left out. The record is not as documented: id.')
  })
})
