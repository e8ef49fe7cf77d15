import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import type { RunningService } from '../../fixtures/running-service.ts'
import { waitFor } from '../../infrastructure/wait-for.ts'
import type { Site } from './site.ts'

const EXCERPT = fileURLToPath(new URL('../../../scripts/demo/big-buck-bunny.mp4', import.meta.url))
/** Of the excerpt. */
const EXCERPT_SECONDS = 5.312
const READY_WITHIN_MS = 600_000

interface Source {
  title: string
  file: string
  /** How often the excerpt plays. */
  times: number
  /** Of ffmpeg; without one the streams are copied. */
  filter?: string
}

/** The video that the pictures play. */
const MAIN: Source = { title: 'Big Buck Bunny', file: 'big-buck-bunny.mp4', times: 6 }

const OTHERS: readonly Source[] = [
  {
    title: 'The yawn, close-up',
    file: 'close-up.mp4',
    times: 3,
    filter: 'crop=704:396:160:0,scale=1280:720',
  },
  {
    title: 'The meadow in the morning',
    file: 'meadow.mp4',
    times: 4,
    filter: 'crop=608:342:660:90,scale=1280:720',
  },
  {
    title: 'Flowers above the burrow',
    file: 'flowers.mp4',
    times: 2,
    filter: 'crop=448:252:140:10,scale=1280:720',
  },
  {
    title: 'Out of the burrow',
    file: 'burrow.mp4',
    times: 5,
    filter: 'crop=768:432:40:170,scale=1280:720',
  },
]

/** Encoded for longer than the pictures of the list take. */
const LONG: Source = { title: 'Big Buck Bunny, the long cut', file: 'long-cut.mp4', times: 40 }

/** The parts of MAIN: each time that the excerpt plays has one line of two captions. */
const CHAPTERS = ['Good morning', 'A good stretch', 'Into the meadow']
const MOMENTS = [
  { label: 'The yawn', timestamp: 13 },
  { label: 'The butterfly', timestamp: 27 },
]
const LINES = {
  en: [
    'The sun is up over the meadow.',
    'Something moves in the burrow.',
    'Out comes Big Buck Bunny.',
    'He stretches both arms.',
    'And what a yawn!',
    'He scratches his head.',
    'Is that a butterfly?',
    'The grass is still wet.',
    'A good day to do nothing.',
    'Perhaps some breakfast first.',
    'An apple would be nice.',
    'So the day begins.',
  ],
  de: [
    'Die Sonne steht über der Wiese.',
    'Im Bau regt sich etwas.',
    'Heraus kommt Big Buck Bunny.',
    'Er streckt beide Arme.',
    'Und wie er gähnt!',
    'Er kratzt sich am Kopf.',
    'Ist das ein Schmetterling?',
    'Das Gras ist noch nass.',
    'Ein guter Tag, um nichts zu tun.',
    'Vielleicht erst einmal frühstücken.',
    'Ein Apfel wäre schön.',
    'So beginnt der Tag.',
  ],
}

/** Where the pictures pause: the yawn. */
export const YAWN_SECONDS = 13.6

/** Makes the sources in `folder`, and ingests those of the list to `ready`. Resolves to the id of the main one. */
export async function ingestVideos(
  service: RunningService,
  site: Site,
  folder: string,
): Promise<string> {
  await Promise.all([...OTHERS, MAIN, LONG].map((source) => makeSource(source, folder)))
  const ids: string[] = []
  for (const source of [...OTHERS, MAIN]) ids.push(await create(service, site, source))
  for (const id of ids) await untilReady(service, id)
  const main = ids.at(-1) ?? ''
  await annotate(service, main)
  return main
}

/** Begins to ingest a video that is encoded for minutes. Resolves to its id. */
export const ingestLong = (service: RunningService, site: Site): Promise<string> =>
  create(service, site, LONG)

async function makeSource({ file, times, filter }: Source, folder: string): Promise<void> {
  const encoding = filter
    ? ['-vf', filter, '-c:v', 'libx264', '-preset', 'veryfast']
    : ['-c:v', 'copy']
  await execa(
    'ffmpeg',
    [
      ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'],
      ['-stream_loop', String(times - 1), '-i', EXCERPT],
      [...encoding, '-c:a', 'copy', join(folder, file)],
    ].flat(),
  )
}

async function create(
  service: RunningService,
  site: Site,
  { title, file }: Source,
): Promise<string> {
  const body = { title, source_url: site.fileUrl(file) }
  return (await call<{ id: string }>(service, 'POST', '/v1/videos', body)).id
}

/** Calls the API; resolves to its response. Throws with the response unless the call succeeds. */
export async function call<T>(
  service: RunningService,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await service.request(method, path, body)
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return (await response.json()) as T
}

async function untilReady(service: RunningService, id: string): Promise<void> {
  const isReady = async (): Promise<boolean> => {
    const { status } = await call<{ status: string }>(service, 'GET', `/v1/videos/${id}`)
    if (status === 'failed') throw new Error(`video ${id} failed`)
    return status === 'ready'
  }
  await waitFor(`video ${id}`, isReady, READY_WITHIN_MS)
}

async function annotate(service: RunningService, id: string): Promise<void> {
  const seconds = EXCERPT_SECONDS * MAIN.times
  const post = (part: string, body: unknown): Promise<unknown> =>
    call(service, 'POST', `/v1/videos/${id}/${part}`, body)
  const bounds = [...CHAPTERS, ''].map((_, at) => Math.ceil((seconds * at) / CHAPTERS.length))
  for (const [at, title] of CHAPTERS.entries())
    await post('chapters', { title, start: bounds[at], end: bounds[at + 1] })
  for (const moment of MOMENTS) await post('moments', moment)
  const labels = { en: 'English', de: 'Deutsch' }
  for (const language of ['en', 'de'] as const) {
    const content = captionsOf(LINES[language], seconds)
    await post('captions', { language_code: language, label: labels[language], content })
  }
}

/** WebVTT with lines of the same length. */
function captionsOf(lines: readonly string[], seconds: number): string {
  const time = (at: number): string =>
    `00:${((seconds * at) / lines.length).toFixed(3).padStart(6, '0')}`
  const cues = lines.map((line, at) => `${time(at)} --> ${time(at + 1)}\n${line}\n`)
  return ['WEBVTT\n', ...cues].join('\n')
}
