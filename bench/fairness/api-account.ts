import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { z } from 'zod'
import type { RunningService } from '../../test/fixtures/running-service.ts'
import type { Load } from '../load.ts'

/** An account that adds videos through the API. */
export interface ApiAccount {
  /** Adds so many videos; resolves to their ids when all are accepted. */
  add(count: number): Promise<string[]>
  /** Resolves when all are ready; throws when one has failed. */
  untilReady(ids: string[]): Promise<void>
  countUnready(ids: string[]): Promise<number>
  /** Requests the deletion of a video. */
  remove(id: string): Promise<void>
  /** A read of its videos. */
  load: Load
}

/** No more link checks of one account at the same time. */
const POSTS_AT_ONCE = 4
const POLL_MS = 100

const accountSchema = z.object({ id: z.int() })
const keySchema = z.object({ key: z.string() })
const videoSchema = z.object({ id: z.string(), status: z.string() })

/** Creates an account of a running service, with a key; each of its videos has the same source. */
export async function openApiAccount(
  service: RunningService,
  name: string,
  sourceUrl: string,
): Promise<ApiAccount> {
  const { id: accountId } = accountSchema.parse(
    await service.cli('accounts', 'create', '--name', name, '--plan', 'clearkey'),
  )
  const account = String(accountId)
  const created = await service.cli('keys', 'create', '--account', account, '--scopes', 'all')
  const headers = { Authorization: `Bearer ${keySchema.parse(created).key}` }
  const call = async (path: string, init: RequestInit = { headers }) => {
    const response = await fetch(service.api + path, init)
    if (!response.ok)
      throw new Error(`${path} responded with ${response.status}: ${await response.text()}`)
    return videoSchema.parse(await response.json())
  }
  const addOne = () =>
    call('/v1/videos', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ source_url: sourceUrl }),
    })
  const limit = pLimit(POSTS_AT_ONCE)
  const videoStatus = async (id: string) => (await call(`/v1/videos/${id}`)).status
  return {
    async add(count) {
      const videos = await Promise.all(Array.from({ length: count }, () => limit(addOne)))
      return videos.map(({ id }) => id)
    },
    async untilReady(ids) {
      for (const id of ids)
        for (;;) {
          const status = await videoStatus(id)
          if (status === 'ready') break
          if (status === 'failed') throw new Error(`the video ${id} failed`)
          await sleep(POLL_MS)
        }
    },
    async countUnready(ids) {
      const statuses = await Promise.all(ids.map((id) => limit(() => videoStatus(id))))
      return statuses.filter((status) => status !== 'ready').length
    },
    async remove(id) {
      const { ok, status } = await fetch(`${service.api}/v1/videos/${id}`, {
        method: 'DELETE',
        headers,
      })
      if (!ok) throw new Error(`the deletion of ${id} responded with ${status}`)
    },
    load: { origin: service.api, path: '/v1/videos?limit=25', method: 'GET', headers, status: 200 },
  }
}
