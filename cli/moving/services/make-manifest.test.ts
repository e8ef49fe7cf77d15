import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  makeManifestFolder,
  type ManifestFolder,
} from '../../../test/fixtures/services/manifest-folder.ts'
import { captureError } from '../../../test/infrastructure/test-network.ts'
import { CliError } from '../../errors.ts'
import { filesFolderOf } from './make-manifest.ts'
import type { FoundVideo, Service, ServiceVideo } from './service.ts'

let folder: ManifestFolder

beforeEach(async () => {
  folder = await makeManifestFolder()
})
afterEach(() => folder.remove())

const video = (id: string, more: Partial<ServiceVideo> = {}): ServiceVideo => ({
  id,
  sourceUrl: `https://files.example/${id}.mp4`,
  expiresAt: null,
  title: null,
  description: null,
  folder: null,
  tags: [],
  metadata: {},
  createdAt: null,
  oldUrl: null,
  durationSeconds: null,
  captions: [],
  chapters: [],
  poster: null,
  sha256: null,
  problems: [],
  ...more,
})

const serviceOf = (...videos: FoundVideo[]): Service => ({
  name: 'bunny',
  title: 'Bunny Stream',
  async *videos() {
    yield* videos
  },
})

describe('a manifest of a service', () => {
  it('has its lines in the order of the service, and can be read only by its owner', async () => {
    const videos = Array.from({ length: 50 }, (_, index) => video(`v${index}`))
    const { lines } = await folder.make(serviceOf(...videos))
    expect(lines.map(({ externalId }) => externalId)).toEqual(videos.map(({ id }) => `bunny:${id}`))
    expect((await stat(folder.output)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder.base)).toEqual(['videos.ndjson'])
  })

  it('takes the place of an earlier one only once it is whole', async () => {
    await writeFile(folder.output, 'earlier')
    const failing: Service = {
      ...serviceOf(),
      async *videos() {
        for (let index = 0; index < 20; index += 1) yield video(`v${index}`)
        throw new CliError('It is away.', { code: 'service_unavailable' })
      },
    }
    expect(await captureError(folder.make(failing))).toMatchObject({ message: 'It is away.' })
    expect(await readFile(folder.output, 'utf8')).toBe('earlier')
    expect(await readdir(folder.base)).toEqual(['videos.ndjson'])
    expect((await folder.make(serviceOf(video('v1')))).lines).toHaveLength(1)
  })

  it('leaves out a video whose line an import would refuse, with the field', async () => {
    const { lines, records } = await folder.make(
      serviceOf(
        video('long', { sourceUrl: `https://files.example/${'x'.repeat(2_048)}` }),
        video('odd', { sourceUrl: 'file:///etc/passwd' }),
        video('good'),
      ),
    )
    expect(lines.map(({ externalId }) => externalId)).toEqual(['bunny:good'])
    expect(records.slice(0, 2)).toMatchObject([
      { external_id: 'bunny:long', problems: ['Its source_url must be at most 2048 characters.'] },
      { external_id: 'bunny:odd', result: 'left_out' },
    ])
  })

  it('has each video once, and each language of its captions', async () => {
    const caption = (language: string) => ({
      language,
      label: null,
      isDefault: false,
      file: { read: async () => Buffer.from('WEBVTT\n') },
    })
    const captions = ['EN', 'en', 'x', 'de-at'].map(caption)
    const { lines, result, printed } = await folder.make(
      serviceOf(video('v1', { captions }), video('v2'), video('v1')),
    )
    expect(lines).toHaveLength(2)
    expect(lines[0]?.captions).toEqual([
      { path: 'videos-files/v1.en.vtt', language: 'en', label: 'en', isDefault: false },
      { path: 'videos-files/v1.de-AT.vtt', language: 'de-AT', label: 'de-AT', isDefault: false },
    ])
    expect(result.incomplete).toBe(1)
    expect(printed).toContain('It has two captions of en: the first is kept.')
    expect(printed).toContain('A caption has no language tag: x.')
  })

  it('says when its first link ends', async () => {
    const at = (day: number) => new Date(Date.UTC(2030, 0, day))
    const { result } = await folder.make(
      serviceOf(
        video('v1', { expiresAt: at(3) }),
        video('v2', { expiresAt: at(2) }),
        video('v3'),
        video('v4', { expiresAt: at(4) }),
      ),
    )
    expect(result.expiresAt).toEqual(at(2))
  })

  it('is not made of a list that has no end', async () => {
    const endless: Service = {
      ...serviceOf(),
      async *videos() {
        for (;;) yield video('v1')
      },
    }
    expect(await captureError(folder.make(endless))).toMatchObject({
      code: 'unexpected_response',
      message: 'Bunny Stream lists the same videos again and again.',
    })
  })

  it('prints no control characters of titles', async () => {
    const { printed } = await folder.make(
      serviceOf({ id: 'v1', title: '\u001B[2Jgone', reason: 'It has no file.' }),
    )
    expect(printed).not.toContain('\u001B')
  })

  it('has a folder beside it with a name that every manifest may have', async () => {
    expect(filesFolderOf('/a/videos.ndjson')).toBe('videos-files')
    expect(filesFolderOf('/a/C:\\my videos')).toBe('C--my-videos-files')
    await mkdir(join(folder.base, 'videos-files'))
    expect((await folder.make(serviceOf(video('v1')))).lines).toHaveLength(1)
  })
})
