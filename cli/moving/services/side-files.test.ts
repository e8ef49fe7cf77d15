import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CAPTION_MAX_BYTES } from '../../../domain/limits.ts'
import type { Egress } from '../../../egress/egress.ts'
import { makePng } from '../../../test/fixtures/pictures.ts'
import {
  makeManifestFolder,
  type ManifestFolder,
} from '../../../test/fixtures/services/manifest-folder.ts'
import {
  captureError,
  startTestNetwork,
  type TestNetwork,
} from '../../../test/infrastructure/test-network.ts'
import { createSideFiles, SideFileError } from './side-files.ts'
import { webVttOf } from './web-vtt.ts'

const VTT = 'WEBVTT\n\n00:00.000 --> 00:01.000\nHi'

let network: TestNetwork
let egress: Egress
let host: string
let folder: ManifestFolder
let respond: (request: IncomingMessage, response: ServerResponse) => void
let asked: string[]
let waits: number[]

beforeAll(async () => {
  network = await startTestNetwork()
  network.dns.set('files.test', ['127.0.0.1'])
  network.dns.set('private.test', ['10.0.0.1'])
  const { port } = await network.serveHttps(['files.test'], (request, response) => {
    asked.push(request.url ?? '')
    respond(request, response)
  })
  host = `https://files.test:${port}`
  egress = network.egress()
})
afterAll(() => network?.close())

beforeEach(async () => {
  folder = await makeManifestFolder()
  asked = []
  waits = []
  respond = (_request, response) => void response.end(VTT)
})
afterEach(() => folder.remove())

const files = () =>
  createSideFiles({
    base: folder.base,
    folder: 'videos-files',
    egress,
    signal: new AbortController().signal,
    wait: async (ms) => void waits.push(ms),
  })

const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await captureError(work)
  expect(error).toBeInstanceOf(SideFileError)
  return String(error)
}

describe('a file beside a manifest', () => {
  it('is downloaded once, and kept by the next run', async () => {
    const link = `${host}/en.vtt`
    expect(await files().caption('v1', 'en', { link })).toBe('videos-files/v1.en.vtt')
    expect(await files().caption('v1', 'en', { link })).toBe('videos-files/v1.en.vtt')
    expect(asked).toEqual(['/en.vtt'])
    expect(await folder.files()).toEqual({ 'v1.en.vtt': VTT })
  })

  it('is whole or is not there', async () => {
    respond = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('WEBVTT')
      setImmediate(() => response.destroy())
    }
    await failure(files().caption('v1', 'en', { link: `${host}/en.vtt` }))
    expect(await folder.files()).toEqual({})
    // What a killed run has left.
    await mkdir(join(folder.base, 'videos-files'))
    await writeFile(join(folder.base, 'videos-files', 'v1.en.vtt.x.part'), 'WEB')
    respond = (_request, response) => void response.end(VTT)
    await files().caption('v1', 'en', { link: `${host}/en.vtt` })
    expect(await folder.files()).toMatchObject({ 'v1.en.vtt': VTT })
  })

  it('is no link to another place', async () => {
    await mkdir(join(folder.base, 'videos-files'))
    await writeFile(join(folder.base, 'other'), 'mine')
    await symlink(join(folder.base, 'other'), join(folder.base, 'videos-files', 'v1.en.vtt'))
    await files().caption('v1', 'en', { link: `${host}/en.vtt` })
    expect(await folder.files()).toEqual({ 'v1.en.vtt': VTT })
    expect(await readdir(folder.base)).toEqual(['other', 'videos-files'])
  })

  it('is asked for again after a failure that may pass', async () => {
    let count = 0
    respond = (_request, response) => {
      count += 1
      if (count === 1) response.writeHead(429, { 'retry-after': '9' }).end()
      else if (count === 2) response.destroy()
      else response.end(VTT)
    }
    await files().caption('v1', 'en', { link: `${host}/en.vtt` })
    expect(waits).toEqual([9_000, 2_000])
  })

  it('is given up where the link says no, and after four attempts', async () => {
    respond = (_request, response) => void response.writeHead(403).end()
    expect(await failure(files().caption('v1', 'en', { link: `${host}/a` }))).toContain(
      'The link responds with status 403.',
    )
    expect(asked).toHaveLength(1)
    respond = (_request, response) => void response.writeHead(503).end()
    await failure(files().caption('v1', 'en', { link: `${host}/b` }))
    expect(asked).toHaveLength(1 + 4)
  })

  it.each([
    ['http', () => 'http://files.test/en.vtt', 'must begin with https://'],
    ['a private address', () => 'https://private.test/en.vtt', 'address'],
    ['credentials', () => 'https://a:b@files.test/en.vtt', 'user name or a password'],
    ['no address', () => 'en.vtt', 'must begin with https://'],
  ])('is not downloaded from %s', async (_what, link, words) => {
    expect(await failure(files().caption('v1', 'en', { link: link() }))).toContain(words)
    expect(asked).toEqual([])
  })

  it('has at most so many bytes', async () => {
    respond = (_request, response) => void response.end(VTT + 'x'.repeat(CAPTION_MAX_BYTES))
    expect(await failure(files().caption('v1', 'en', { link: `${host}/a` }))).toContain('larger')
    expect(await folder.files()).toEqual({})
  })

  it('never has a name that leaves the folder', async () => {
    for (const [id, language] of [
      ['../v1', 'en'],
      ['v1', '../en'],
      ['', 'en'],
      ['v1/x', 'en'],
    ])
      expect(
        await failure(files().caption(id ?? '', language ?? '', { link: `${host}/a` })),
      ).toContain('It has no safe name.')
    expect(asked).toEqual([])
  })
})

describe('a poster beside a manifest', () => {
  it('is a picture whose content says its type, and is kept', async () => {
    const png = makePng({ width: 640, height: 360 })
    respond = (_request, response) => void response.end(png)
    expect(await files().poster('v1', `${host}/a.jpg`)).toBe('videos-files/v1.png')
    expect(await files().poster('v1', `${host}/a.jpg`)).toBe('videos-files/v1.png')
    expect(asked).toHaveLength(1)
  })

  it('is no other file', async () => {
    respond = (_request, response) => void response.end('<svg/>'.repeat(20))
    expect(await failure(files().poster('v1', `${host}/a.svg`))).toContain('unsupported_picture')
    respond = (_request, response) => void response.end(makePng({ width: 64, height: 36 }))
    expect(await failure(files().poster('v1', `${host}/a.png`))).toContain('picture_too_small')
    expect(await folder.files()).toEqual({})
  })
})

describe('the text of a caption', () => {
  const of = (text: string) => webVttOf(Buffer.from(text))

  it('stays as it is in WebVTT, without a byte order mark', () => {
    expect(of('\uFEFFWEBVTT - Title\r\n\r\n00:01.000 --> 00:02.000\r\nHi')).toBe(
      'WEBVTT - Title\n\n00:01.000 --> 00:02.000\nHi',
    )
  })

  it('becomes WebVTT from SRT, without coordinates', () => {
    const srt = [
      '\uFEFF',
      '1',
      '00:00:01,000 --> 00:00:02,500 X1:40 X2:600 Y1:20 Y2:50',
      'It costs 1,000',
      '<i>euros</i>',
      '',
      '2',
      '01:00:02,500-->01:00:04,000',
      'Bye',
    ].join('\r\n')
    expect(of(srt)).toBe(
      'WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500\nIt costs 1,000\n<i>euros</i>\n\n2\n01:00:02.500 --> 01:00:04.000\nBye',
    )
  })

  it.each([
    ['nothing', ''],
    ['a page', '<!doctype html><p>Not found'],
    ['a word that only begins so', 'WEBVTTX\n\n00:01.000 --> 00:02.000\nHi'],
    ['NUL characters', 'WEBVTT\0'],
  ])('is refused if it is %s', (_what, text) => {
    expect(of(text)).toBeNull()
  })

  it('is refused in another encoding', () => {
    expect(webVttOf(Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nGrün', 'latin1'))).toBeNull()
  })
})
