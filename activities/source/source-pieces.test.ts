import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PIECE_BYTES } from '../../domain/ingest/source-tail.ts'
import { openIngestFixture, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { putSource } from '../../test/fixtures/stored-source.ts'
import { until } from '../../test/infrastructure/wait-for.ts'
import { openWorkFolder } from '../scratch/work-folder.ts'
import { openSourceObject } from './find-stored-source.ts'
import { readSourceKey } from './source-keys.ts'
import { createPieceReader } from './source-pieces.ts'

const PIECES = 6

let fixture: IngestFixture

beforeAll(async () => void (fixture = await openIngestFixture()))
afterAll(() => fixture.close())

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as typeof globalThis.gc
  collect?.()
}

it('no piece stays in memory that was fetched and given to the tools', async () => {
  const { deps } = fixture
  const { videoId } = await fixture.addVideo({ status: 'processing' })
  const path = join(fixture.folder, 'pieces')
  await writeFile(path, randomBytes(PIECES * PIECE_BYTES))
  await putSource(deps, videoId, path)
  const stored = await openSourceObject(deps.storage, videoId, await readSourceKey(deps, videoId))
  const { sealed } = stored
  if (!sealed) throw new Error('the source is not encrypted')
  const fetched: WeakRef<Buffer>[] = []
  const read = async (index: number): Promise<Buffer> => {
    const body = await sealed.read(index)
    fetched.push(new WeakRef(body))
    return body
  }
  const folder = await openWorkFolder(deps, videoId)
  const reader = createPieceReader({ ...stored, sealed: { ...sealed, read } }, folder)
  for (let index = 0; index < PIECES; index += 1)
    expect(await reader.readPiece(index)).toHaveLength(PIECE_BYTES)
  expect(fetched).toHaveLength(PIECES)
  // The frame of an asynchronous function may keep the last one.
  await until(async () => {
    collectGarbage()
    return fetched.filter((one) => one.deref()).length <= 1
  }, 10_000)
})
