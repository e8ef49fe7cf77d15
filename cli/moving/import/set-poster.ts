import { openAsBlob } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ReelgateError } from '../../../sdk/src/index.ts'
import { findInside } from '../inside-folder.ts'
import { LineFailure, type ImportRun } from './run.ts'

const POLL_MS = 1_000

/**
 * Sends the picture of a line as the poster of a video that is ready, and waits until it is one. Throws a LineFailure if the service cannot
 * read it.
 */
export async function setPoster(run: ImportRun, videoId: string, path: string): Promise<void> {
  const { reelgate, patiently, signal, base } = run
  const file = await findInside(base, path)
  if (typeof file === 'string') throw new LineFailure('file_unreadable', `${path} ${file}.`)
  const picture = await openAsBlob(file.path)
  await untilThereIsRoom(run, () =>
    patiently(() => reelgate.posters.upload(videoId, picture, { signal })),
  )
  for (;;) {
    const { status, reason } = await patiently(() =>
      reelgate.posters.getUpload(videoId, { signal }),
    )
    if (status === null) return
    if (status === 'failed')
      throw new LineFailure('poster_refused', `${path} did not become the poster: ${reason ?? ''}.`)
    await sleep(POLL_MS, undefined, { signal })
  }
}

/** An account has few pictures that wait at the same time. */
async function untilThereIsRoom(
  { signal }: ImportRun,
  send: () => Promise<unknown>,
): Promise<void> {
  for (;;) {
    try {
      await send()
      return
    } catch (error) {
      const isFull = error instanceof ReelgateError && error.code === 'too_many_poster_uploads'
      if (!isFull) throw error
      await sleep(POLL_MS, undefined, { signal })
    }
  }
}
