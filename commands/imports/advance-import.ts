import type { EntityManager } from '../../db/database.ts'
import type { VideoImportLine } from '../../db/entities/video-import.ts'
import { countOpenLines } from '../../db/imports/video-imports.ts'
import {
  endImport,
  forgetAccess,
  lockWaitingLine,
  settleLine,
  settleStartedLines,
  type LineOutcome,
} from '../../db/imports/write-video-imports.ts'
import { findByExternalId } from '../../db/videos/external-ids.ts'
import type { ImportRound } from '../../domain/imports/video-import.ts'
import { titleFromUrl } from '../../domain/videos/video-title.ts'
import { Refusal } from '../refusal.ts'
import { acceptVideo } from '../videos/accept-video.ts'
import { checkLink, type InspectLink } from '../videos/check-link.ts'
import { claimExternalId } from '../videos/claim-external-id.ts'
import { refuseMissingFolder } from '../videos/edit-video.ts'

/** Records what has become of the videos of an import. Returns how many lines it settled. */
export const settleVideos = (em: EntityManager, importId: number): Promise<number> =>
  settleStartedLines(em, importId)

/** Ends an import whose lines are all settled; returns how far it is. */
export function endIfDone(em: EntityManager, importId: number): Promise<ImportRound> {
  return em.transactional(async (tx) => {
    const open = await countOpenLines(tx, importId)
    const isEnded = open.waiting + open.started === 0
    if (isEnded) {
      await endImport(tx, importId, 'completed')
      await forgetAccess(tx, importId)
    }
    return { ...open, isEnded }
  })
}

/** Ends an import whose workflow was cancelled. Leaves one that has ended unchanged. */
export const endCancelledImport = (em: EntityManager, importId: number): Promise<void> =>
  em.transactional((tx) => endImport(tx, importId, 'cancelled'))

/** Records why the video of a line cannot be made. Does nothing unless the line waits. */
export const failLine = (
  em: EntityManager,
  line: VideoImportLine,
  { code, message }: Pick<Refusal, 'code' | 'message'>,
): Promise<void> =>
  settleLine(em, line, { state: 'failed', errorCode: code, errorMessage: message })

/**
 * Makes the video of a line, whose link is checked first, or settles the line: it `exists` if a video of the account has its external id, and has
 * `failed` if the account cannot have the video. A line that does not wait any more stays as it is, so two calls make one video. Throws what `inspect` throws.
 */
export async function startLine(
  em: EntityManager,
  line: VideoImportLine,
  inspect: InspectLink,
  hasDrmProvider: boolean,
): Promise<void> {
  const { accountId, externalId, sourceUrl } = line
  const holder = externalId === null ? null : await findByExternalId(em, accountId, externalId)
  // Without a request to its link, which may have expired.
  if (holder) return settleLine(em, line, { state: 'exists', videoId: holder.videoId })
  try {
    const folderId = line.facts.folderId ?? null
    const checked = await checkLink(em, { accountId, sourceUrl, folderId, hasDrmProvider }, inspect)
    await em.transactional(async (tx) => {
      if (!(await lockWaitingLine(tx, line))) return
      // Before the video has an id: a video with this external id is another one.
      await claimExternalId(tx, accountId, '', externalId)
      const { title, description = '', tags = [], metadata = {}, keepOriginal } = line.facts
      const own = { externalId, tags, metadata }
      const order = { ...checked, ...own, title: title ?? titleFromUrl(sourceUrl), description }
      const kept = { folderId, keepOriginal: keepOriginal ?? null }
      const video = await refuseMissingFolder(acceptVideo(tx, { ...order, ...kept }))
      await settleLine(tx, line, { state: 'started', videoId: video.id })
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await settleLine(em, line, outcomeOf(error))
  }
}

const outcomeOf = ({ code, message, holder }: Refusal): LineOutcome =>
  code === 'external_id_taken' && holder !== undefined
    ? { state: 'exists', videoId: holder }
    : { state: 'failed', errorCode: code, errorMessage: message }
