import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followRetry } from '../../db/imports/write-video-imports.ts'
import { PIECE_BYTES } from '../../domain/ingest/source-tail.ts'
import { openIngestFixture, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { putSource } from '../../test/fixtures/stored-source.ts'
import { captureError } from '../../test/infrastructure/test-network.ts'
import { checkSum } from './check-sum.ts'

let fixture: IngestFixture

beforeAll(async () => {
  fixture = await openIngestFixture()
})
afterAll(() => fixture.close())

const content = Buffer.alloc(2 * PIECE_BYTES + 5, 'reelgate')
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Adds a video with a stored source, which an import has made with this checksum; none for undefined. */
async function addImported(sha256: string | null | undefined): Promise<string> {
  const { videoId, accountId } = await fixture.addVideo({})
  const path = join(fixture.folder, videoId)
  await writeFile(path, content)
  await putSource(fixture.deps, videoId, path)
  if (sha256 === undefined) return videoId
  const em = fixture.deps.db.em.fork()
  await em.execute(
    `with made as (insert into video_import (account_id, at_once, line_count) values (?, 1, 1) returning id)
     insert into video_import_line (import_id, number, account_id, state, source_url, facts, sha256, video_id)
     select id, 1, ?, 'started', '', '{}', ?, ? from made`,
    [accountId, accountId, sha256, videoId],
  )
  return videoId
}

const check = (videoId: string, signal = new AbortController().signal) =>
  checkSum(fixture.deps, videoId, { signal })

describe('checkSum', () => {
  it('passes a source that has the checksum of its import, or of which none is known', async () => {
    for (const sha256 of [sumOf(content), null, undefined])
      await expect(check(await addImported(sha256))).resolves.toBeUndefined()
  })

  it('refuses a source that has another one', async () => {
    const other = sumOf(content.subarray(1))
    expect(await captureError(check(await addImported(other)))).toMatchObject({
      code: 'unreadable_file',
      message: `The file has the SHA-256 ${sumOf(content)}; its import names ${other}.`,
    })
  })

  it('refuses it for the video that is retried as new, and for the one after it', async () => {
    const em = fixture.deps.db.em.fork()
    const failedId = await addImported(sumOf(content.subarray(1)))
    const [retryId, secondId] = [await addImported(undefined), await addImported(undefined)]
    await followRetry(em, failedId, retryId)
    expect(await captureError(check(retryId))).toMatchObject({ code: 'unreadable_file' })
    await followRetry(em, retryId, secondId)
    expect(await captureError(check(secondId))).toMatchObject({ code: 'unreadable_file' })
    await expect(check(await addImported(undefined))).resolves.toBeUndefined()
  })

  it('stops when its step is cancelled', async () => {
    const videoId = await addImported(sumOf(content))
    expect(
      await captureError(check(videoId, AbortSignal.abort(new Error('stopped')))),
    ).toMatchObject({
      message: 'stopped',
    })
  })
})
