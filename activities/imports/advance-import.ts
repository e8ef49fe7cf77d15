import { heartbeat } from '@temporalio/activity'
import {
  endCancelledImport,
  endIfDone,
  failLine,
  settleVideos,
  startLine,
} from '../../commands/imports/advance-import.ts'
import type { Database } from '../../db/database.ts'
import type { VideoImportLine } from '../../db/entities/video-import.ts'
import { findNextLines, type ImportAccess } from '../../db/imports/video-imports.ts'
import type { ImportRound, ImportVideosInput } from '../../domain/imports/video-import.ts'
import type { Egress } from '../../egress/egress.ts'
import { inspectVideoSource } from '../../egress/inspect-video-source.ts'
import { SourceError } from '../../egress/source-error.ts'
import type { MasterKeys } from '../../security/sealing/sealing.ts'
import { sourceAddress } from './source-address.ts'

export interface ImportDeps {
  db: Database
  masterKeys: MasterKeys
  egress: Egress
  /** Whether videos of accounts with Multi-DRM can be made. */
  hasDrmProvider: boolean
}

/**
 * Takes an import one step further: records which of its videos are made, starts the next lines, and ends it when no line is left. A line is
 * started in one transaction with its video, so that this is safe to run twice. Throws if the network of this installation is away.
 */
export async function advanceImport(
  deps: ImportDeps,
  { importId }: ImportVideosInput,
): Promise<ImportRound> {
  const em = deps.db.em.fork()
  await settleVideos(em, importId)
  const next = await findNextLines(em, importId)
  // Of a cancelled one, the videos that have started are followed to their end.
  if (next) await Promise.all(next.lines.map((line) => start(deps, line, next.access)))
  return endIfDone(em, importId)
}

async function start(
  { db, masterKeys, egress, hasDrmProvider }: ImportDeps,
  line: VideoImportLine,
  access: ImportAccess,
): Promise<void> {
  const em = db.em.fork()
  const { accountId, sourceUrl } = line
  try {
    await startLine(
      em,
      line,
      async (availableBytes) => {
        const address = await sourceAddress(masterKeys, sourceUrl, access)
        const isSigned = address !== sourceUrl
        const options = { availableBytes, accountId, mayRefuseHead: true, isSigned }
        return inspectVideoSource(egress, address, options)
      },
      hasDrmProvider,
    )
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    await failLine(em, line, error)
  }
  heartbeat()
}

/** Ends an import whose workflow was cancelled; the videos that have started are made. */
export const endImport = ({ db }: Pick<ImportDeps, 'db'>, { importId }: ImportVideosInput) =>
  endCancelledImport(db.em.fork(), importId)
