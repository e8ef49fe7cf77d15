import { randomBytes } from 'node:crypto'
import { availableStorageBytes, findAccount, findActivePlan } from '../../db/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Plan } from '../../db/entities/account.ts'
import { hasFolder, insertVideo, lockStorage } from '../../db/videos.ts'
import { ROW_ID_MAX } from '../../domain/row-id.ts'
import { titleFromUrl } from '../../domain/video-title.ts'
import { inspectVideoSource } from '../../egress/inspect-video-source.ts'
import { SourceError } from '../../egress/source-error.ts'
import { appendCommands } from '../../outbox/append/append-command.ts'
import { ApiError } from '../api-error.ts'
import type { ApiDeps } from '../deps.ts'
import type { Answer, Commit } from '../middleware/idempotency.ts'
import type { CreateVideoBody } from './schemas.ts'
import { videoView } from './view.ts'

/**
 * Accepts a video: plan, folder and link are checked first, outside any transaction; then the row,
 * its reservation of storage and the command that starts its workflow are committed together.
 */
export async function createVideo(
  deps: ApiDeps,
  accountId: number,
  body: CreateVideoBody,
  commit: Commit,
): Promise<Answer> {
  const em = deps.db.em.fork()
  const plan = await requirePlan(em, accountId)
  await requireFolder(em, accountId, body.folder_id)
  const availableBytes = await availableStorageBytes(em, plan)
  const sizeBytes = await inspect(deps, body.source_url, availableBytes)
  return commit(async (tx) => {
    await lockStorage(tx, accountId)
    // Another request may have taken the storage, or the plan ended, since the first look.
    const current = await requirePlan(tx, accountId)
    if ((sizeBytes ?? 0) > (await availableStorageBytes(tx, current)))
      throw new ApiError('insufficient_storage', { param: 'source_url' })
    const account = await findAccount(tx, accountId)
    const video = await insertVideo(tx, {
      id: randomBytes(10).toString('hex'),
      accountId,
      title: body.title ?? titleFromUrl(body.source_url),
      description: body.description ?? '',
      folderId: body.folder_id ?? null,
      sourceUrl: body.source_url,
      protection: current.protection,
      keepOriginal: account?.settings.keep_original ?? false,
      reservedBytes: sizeBytes ?? 0,
    })
    await appendCommands(tx, [{ command: 'ingest-video', subjectId: video.id, accountId }])
    return { status: 202, body: videoView(video, [], deps.embedBase) }
  })
}

async function requirePlan(em: EntityManager, accountId: number): Promise<Plan> {
  const plan = await findActivePlan(em, accountId, new Date())
  if (!plan) throw new ApiError('no_active_plan')
  return plan
}

async function requireFolder(
  em: EntityManager,
  accountId: number,
  folderId: number | undefined,
): Promise<void> {
  if (folderId === undefined) return
  const canBe = folderId > 0 && folderId <= ROW_ID_MAX
  if (!canBe || !(await hasFolder(em, accountId, folderId)))
    throw new ApiError('folder_not_found', { status: 400, param: 'folder_id' })
}

async function inspect(
  { egress }: ApiDeps,
  url: string,
  availableBytes: number,
): Promise<number | null> {
  try {
    return (await inspectVideoSource(egress, url, { availableBytes })).sizeBytes
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    throw new ApiError(error.code, { param: 'source_url', message: error.message })
  }
}
