import { setTimeout as sleep } from 'node:timers/promises'
import { playerDataOf } from '../../fixtures/viewer.ts'
import { waitFor } from '../../infrastructure/wait-for.ts'
import { createRandom, type Random } from '../random.ts'
import { addVideo, request, type KnownAccount, type KnownVideo } from './account.ts'
import type { World } from './world.ts'

interface Turn {
  world: World
  account: KnownAccount
  random: Random
  /** Numbers titles and captions. */
  number: number
}

/** Videos of an account that were not seen to be ready; more would only wait for the encoders. */
const UNFINISHED_MAX = 2
const PAUSE_MAX_MS = 600

/** Makes the first video of an account, waits until it is ready, and plays it once: a short run may draw no play. */
export async function makeFirstVideo(world: World, account: KnownAccount): Promise<void> {
  const turn = { world, account, random: createRandom(0), number: 0 }
  await ingest(turn)
  const [video] = account.videos
  await waitFor('the first video', async () => video && (await readStatus(turn, video)) === 'ready')
  await play(turn)
}

/** Lets an account work until `isOver`. Rejects when the API returns what no fault explains. */
export async function runAccount(
  world: World,
  account: KnownAccount,
  { seed, isOver }: { seed: number; isOver: () => boolean },
): Promise<void> {
  const random = createRandom(seed, 'account', account.accountId)
  const operations = [ingest, ingest, ingest, rename, rename, caption, play, play, remove] as const
  for (let number = 1; !isOver(); number += 1) {
    await random.pick(operations)({ world, account, random, number })
    await sleep(random.int(PAUSE_MAX_MS))
  }
}

const living = ({ videos }: KnownAccount): KnownVideo[] =>
  videos.filter(({ isDeleted }) => !isDeleted)

function pickVideo({ account, random }: Turn, videos = living(account)): KnownVideo | null {
  return videos[random.int(videos.length)] ?? null
}

const readStatus = async ({ world, account }: Turn, { id }: KnownVideo): Promise<string> => {
  const { body } = await request(world, account, { method: 'GET', path: `/v1/videos/${id}/status` })
  return (body as { status: string }).status
}

async function ingest(turn: Turn): Promise<void> {
  const { world, account, number } = turn
  const unfinished: KnownVideo[] = []
  for (const video of living(account))
    if (!['ready', 'failed'].includes(await readStatus(turn, video))) unfinished.push(video)
  if (unfinished.length >= UNFINISHED_MAX) return
  await addVideo(world, account, { path: '/files/lesson.mp4', title: `Video ${number}` })
}

async function rename(turn: Turn): Promise<void> {
  const video = pickVideo(turn)
  if (!video) return
  const title = `Renamed ${turn.number}`
  const path = `/v1/videos/${video.id}`
  await request(turn.world, turn.account, { method: 'PATCH', path, body: { title } })
  video.title = title
}

async function caption(turn: Turn): Promise<void> {
  const video = pickVideo(turn)
  if (!video || (await readStatus(turn, video)) !== 'ready') return
  const label = `Track ${turn.number}`
  await request(turn.world, turn.account, {
    method: 'POST',
    path: `/v1/videos/${video.id}/captions`,
    body: {
      language_code: 'en',
      label,
      content: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n',
    },
  })
  // It replaces the one before, which has the same language.
  video.caption = label
}

async function remove(turn: Turn): Promise<void> {
  const video = pickVideo(turn)
  if (!video) return
  const path = `/v1/videos/${video.id}`
  // 404: an earlier request was carried out, and its response was lost.
  await request(turn.world, turn.account, { method: 'DELETE', path, statuses: [404] })
  video.isDeleted = true
}

/** Loads the embed page and sends a heartbeat, once: a viewer whose page fails reloads it later. Deleted videos too. */
async function play(turn: Turn): Promise<void> {
  const video = pickVideo(turn, turn.account.videos)
  if (!video) return
  const { isDeleted } = video
  const signal = AbortSignal.timeout(10_000)
  const page = await fetch(video.embedUrl, {
    headers: { Referer: 'https://site.example/' },
    signal,
  }).catch(() => null)
  const html = page?.ok ? await page.text().catch(() => null) : null
  // A video that is being prepared has a page without a player.
  if (!html?.includes('id="player-data"')) return
  const { session, sessionHeader, heartbeatUrl } = playerDataOf(html)
  const beat = await fetch(new URL(heartbeatUrl, turn.world.player), {
    method: 'POST',
    headers: { [sessionHeader]: session, 'Content-Type': 'application/json' },
    body: JSON.stringify({ position_seconds: 1, watched_seconds: 1 }),
    signal,
  }).catch(() => null)
  if (isDeleted) turn.account.leaks.push(`the deleted video ${video.id} has an embed page`)
  if (beat?.ok) video.sessions += 1
}
