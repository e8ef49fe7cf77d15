import { setTimeout as sleep } from 'node:timers/promises'
import type { ScaleFixture } from './scale-fixture.ts'

/** Responses take time from the encoders. */
const POLL_MS = 500

/** Posts a source of the fixture. Returns the id of its video. */
export async function submit(fixture: ScaleFixture, name: string): Promise<string> {
  const source_url = fixture.sourceUrl(name)
  const created = await fixture.service.request('POST', '/v1/videos', { source_url })
  return ((await created.json()) as { id: string }).id
}

/** Resolves when a video is ready; rejects if it failed. */
export async function untilReady({ service }: ScaleFixture, videoId: string): Promise<void> {
  for (;;) {
    const response = await service.request('GET', `/v1/videos/${videoId}/status`)
    const { status } = (await response.json()) as { status: string }
    if (status === 'ready') return
    if (status === 'failed') throw new Error('the ingest failed')
    await sleep(POLL_MS)
  }
}
