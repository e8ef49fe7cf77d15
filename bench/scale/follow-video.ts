import { setTimeout as sleep } from 'node:timers/promises'
import type { ScaleFixture } from './scale-fixture.ts'

/** Questions take time from the encoders. */
const POLL_MS = 500

/** Posts a source of the fixture. Returns the id of its video. */
export async function submit(fixture: ScaleFixture, name: string): Promise<string> {
  const source_url = fixture.sourceUrl(name)
  const created = await fixture.service.request('POST', '/v1/videos', { source_url })
  return ((await created.json()) as { id: string }).id
}

/** Resolves when a video is ready; rejects if it failed. Asks PostgreSQL, because each request to the API is counted in a commit. */
export async function untilReady(
  { readStatus }: Pick<ScaleFixture, 'readStatus'>,
  videoId: string,
): Promise<void> {
  for (;;) {
    const status = await readStatus(videoId)
    if (status === 'ready') return
    if (status === 'failed') throw new Error('the ingest failed')
    await sleep(POLL_MS)
  }
}
