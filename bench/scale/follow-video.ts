import { waitFor } from '../../test/infrastructure/wait-for.ts'
import type { ScaleFixture } from './scale-fixture.ts'

const READY_MAX_MS = 30 * 60_000

/** Posts a source of the fixture. Returns the id of its video. */
export async function submit({ service, sourceUrl }: ScaleFixture, name: string): Promise<string> {
  const created = await service.request('POST', '/v1/videos', { source_url: sourceUrl(name) })
  return ((await created.json()) as { id: string }).id
}

/** Resolves when a video is ready; rejects if it failed. */
export const untilReady = ({ service }: ScaleFixture, videoId: string): Promise<boolean> =>
  waitFor(
    `video ${videoId}`,
    async () => {
      const response = await service.request('GET', `/v1/videos/${videoId}/status`)
      const { status } = (await response.json()) as { status: string }
      if (status === 'failed') throw new Error('the ingest failed')
      return status === 'ready'
    },
    READY_MAX_MS,
  )
