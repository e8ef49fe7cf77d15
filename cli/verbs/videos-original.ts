import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { findAnyVideo } from '../../db/accounts/operator.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Video } from '../../db/entities/video.ts'
import { formatBytes } from '../../domain/format-bytes.ts'
import { piecesOf, type StoredSource } from '../../security/sealing/stored-source.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { audited } from '../audited.ts'
import type { Context } from '../context.ts'
import { CliError, noVideo } from '../errors.ts'
import { openOriginal } from '../kept-original.ts'
import { storageConfig } from '../storage-config.ts'

interface Options {
  output: string
}

/** `videos original ID --output FILE`: writes the kept source of a video, decrypted, to a new file. */
export async function writeOriginal(
  context: Context,
  { output }: Options,
  [id = '']: string[],
): Promise<void> {
  const em = await context.entityManager()
  const video = await findAnyVideo(em, id)
  if (!video || video.deletedAt !== null) throw noVideo(id)
  const path = resolve(output)
  await assertNew(path, output)
  const source = await openKept(context, em, video)
  const entry = { accountId: video.accountId, action: 'video.export_original', subject: id }
  await audited(
    em,
    async () => undefined,
    () => ({ ...entry, fields: [] }),
  )
  await writeFile(source, path)
  const { sizeBytes } = source.layout
  const record = { id, file: path, size_bytes: sizeBytes }
  context.out.print(record, `Wrote ${formatBytes(sizeBytes)} to ${path}.`)
}

async function assertNew(path: string, output: string): Promise<void> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (isThere) throw new CliError(`${output} exists already.`, { param: '--output' })
}

async function openKept(context: Context, em: EntityManager, video: Video): Promise<StoredSource> {
  const masterKeys = await context.masterKeys()
  const storage = createStorage(storageConfig(context))
  const original = await openOriginal({ em, masterKeys, storage }, video)
  if (original === null) throw notKept(video.id)
  return original
}

const notKept = (id: string): CliError =>
  new CliError(
    `The original of the video ${id} is not kept: its account did not keep originals when it was added, or it is not ready.`,
    { code: 'original_not_kept' },
  )

/** Writes every piece to a temporary file, so that `path` is the whole original or does not exist. */
async function writeFile(source: StoredSource, path: string): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.part`
  try {
    await pipeline(piecesOf(source), createWriteStream(temporary, { flags: 'wx', mode: 0o600 }))
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}
