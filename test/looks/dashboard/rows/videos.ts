import type { Rendition } from '../../../../domain/videos/rendition.ts'
import { insertRow } from '../../../fixtures/insert-row.ts'
import { hexOf, insertOwn, minutesBefore, type FilledAccount } from './filled-account.ts'
import { FOLDERS, MANY_VIDEOS, type ListedVideo } from './titles.ts'

/** Ids of videos, by title. */
export type VideoIds = ReadonlyMap<string, string>

/** The ready video of an account that a page of one video shows. */
export const SHOWN_VIDEO = 'Big Buck Bunny'
/** The video of an account with many that is being encoded. */
const MOVING_VIDEO = MANY_VIDEOS[1]?.title ?? ''

/** Inserts the videos of an account with many, in folders and in each state. */
export async function insertManyVideos(account: FilledAccount): Promise<VideoIds> {
  const folders = new Map<string, string>()
  for (const name of FOLDERS) folders.set(name, await insertOwn(account, 'folder', { name }))
  const ids = new Map<string, string>()
  for (const video of MANY_VIDEOS)
    ids.set(video.title, await insertListed(account, video, folders.get(video.folder ?? '')))
  await insertProgress(account, ids.get(MOVING_VIDEO) ?? '')
  await insertParts(account, ids.get(SHOWN_VIDEO) ?? '')
  return ids
}

/** Inserts the only video of an account, which is being encoded. */
export async function insertOneVideo(account: FilledAccount): Promise<string> {
  const video = { title: 'Opening night', status: 'processing', age: 14, seconds: 596 } as const
  const id = await insertListed(account, video)
  await insertProgress(account, id)
  return id
}

/** Inserts a video as a row, without files; resolves to its id. */
export async function insertListed(
  account: FilledAccount,
  { title, status = 'ready', age, seconds, error }: ListedVideo,
  folderId?: string,
): Promise<string> {
  const id = hexOf(`${account.accountId} ${title}`, 20)
  const isReady = status === 'ready'
  const addedAt = minutesBefore(account, age)
  await insertOwn(account, 'video', {
    id,
    folder_id: folderId ?? null,
    status,
    title,
    description: title === SHOWN_VIDEO ? 'A giant rabbit, three rodents and a fine morning.' : '',
    source_url: `https://files.example/${encodeURIComponent(title)}.mp4`,
    protection: 'clearkey',
    duration_ms: seconds === undefined ? null : seconds * 1_000,
    width: seconds === undefined ? null : 1920,
    height: seconds === undefined ? null : 1080,
    size_bytes: isReady ? (seconds ?? 0) * 412_345 : 0,
    has_poster: isReady,
    frame_count: isReady ? 6 : 0,
    has_storyboard: isReady,
    error_code: error?.[0] ?? null,
    error_message: error?.[1] ?? null,
    created_at: addedAt,
    updated_at: minutesBefore(account, Math.max(0, age - 1)),
  })
  if (isReady) await insertRenditions(account, id, seconds ?? 0)
  return id
}

const RUNGS = [
  [240, 300_000],
  [480, 900_000],
  [720, 2_100_000],
  [1080, 4_200_000],
] as const

async function insertRenditions(
  { t }: FilledAccount,
  videoId: string,
  seconds: number,
  rungs: readonly (typeof RUNGS)[number][] = RUNGS,
): Promise<void> {
  for (const [height, bandwidthBps] of rungs) {
    const facts: Rendition = {
      kind: 'video',
      name: `${height}p`,
      trackType: height > 480 ? 'HD' : 'SD',
      codecs: 'avc1.64001f',
      width: Math.round((height * 16) / 9),
      height,
      frameRate: '25/1',
      language: null,
      label: null,
      channels: null,
      sampleRate: null,
      bandwidthBps,
      averageBandwidthBps: bandwidthBps * 0.8,
      timescale: 12_800,
      segments: [{ durationTicks: seconds * 12_800, sizeBytes: seconds * 100_000 }],
      durationMs: seconds * 1_000,
      sizeBytes: (seconds * bandwidthBps) / 10,
    }
    await insertRow(t, 'rendition', {
      video_id: videoId,
      name: facts.name,
      facts: JSON.stringify(facts),
    })
  }
}

const CHUNKS = 9

/** The file has arrived, the smallest rung is done, and the others are made chunk by chunk. */
async function insertProgress(account: FilledAccount, videoId: string): Promise<void> {
  const insert = (name: string, part: number, parts: number, fraction: number): Promise<string> =>
    insertRow(account.t, 'ingest_progress', {
      video_id: videoId,
      name,
      part,
      parts,
      stage: 'running',
      fraction,
      started_at: minutesBefore(account, 10),
      updated_at: account.start,
    })
  await insertRenditions(account, videoId, 596, RUNGS.slice(0, 1))
  for (const name of ['download', 'prepare', 'keys']) await insert(name, 0, 1, 1)
  for (const [name, done] of [
    ['240p', CHUNKS],
    ['480p', 5],
    ['720p', 2],
  ] as const)
    for (let part = 0; part < Math.min(CHUNKS, done + 2); part += 1)
      await insert(name, part, CHUNKS, part < done ? 1 : 0.4)
}

/** Captions, chapters and moments of a ready video. */
async function insertParts({ t }: FilledAccount, videoId: string): Promise<void> {
  const content = 'WEBVTT\n\n00:00.000 --> 00:04.000\nThe sun is up over the meadow.\n'
  for (const [code, label] of [
    ['en', 'English'],
    ['de', 'Deutsch'],
    ['ar', 'العربية'],
  ] as const) {
    const caption = { language_code: code, label, content, size_bytes: content.length }
    await insertRow(t, 'caption', { video_id: videoId, ...caption })
  }
  const chapters = ['Good morning', 'A good stretch', 'Into the meadow']
  for (const [index, title] of chapters.entries()) {
    const times = { start_seconds: index * 190, end_seconds: (index + 1) * 190 }
    await insertRow(t, 'chapter', { video_id: videoId, title, ...times })
  }
  for (const [label, seconds] of [
    ['The yawn', 42],
    ['The butterfly', 131],
  ] as const)
    await insertRow(t, 'moment', { video_id: videoId, label, timestamp_seconds: seconds })
}
