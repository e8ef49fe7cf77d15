import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { addSourceExtras } from '../../commands/videos/add-source-extras.ts'
import { findAccount } from '../../db/accounts/accounts.ts'
import { chaptersOfSource } from '../../domain/ingest/source-chapters.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../domain/settings/player-settings.ts'
import { warningsOf, type VideoWarning } from '../../domain/videos/video-warnings.ts'
import { readExtras } from '../../media/probe/read-extras.ts'
import type { MediaWork } from '../../media/run-tool.ts'
import type { ActivityDeps } from '../deps.ts'
import type { WorkFolder } from '../scratch/work-folder.ts'
import type { OpenSource } from '../source/open-source.ts'
import { findLiveVideo } from './ingest-step.ts'

/**
 * Adds the chapters and the text subtitles of a source to its video, unless the account does not want them. Never
 * replaces those of the integrator, so it can run again. Returns what is left out.
 */
export async function importExtras(
  { db }: Pick<ActivityDeps, 'db'>,
  folder: WorkFolder,
  { videoId, opened, durationMs }: { videoId: string; opened: OpenSource; durationMs: number },
  work: MediaWork,
): Promise<VideoWarning[]> {
  const em = db.em.fork()
  const { accountId } = await findLiveVideo(em, videoId)
  const settings = (await findAccount(em, accountId))?.settings ?? DEFAULT_PLAYER_SETTINGS
  if (!settings.import_chapters_and_captions) return []
  const outputDir = await mkdtemp(join(folder.path, 'extras-'))
  try {
    const extras = await readExtras(opened.path, outputDir, work)
    const chapters = chaptersOfSource(extras.chapters, durationMs)
    const { captions, subtitlesDropped } = extras
    const isEmpty = chapters.length + captions.length === 0
    const leftOut = isEmpty
      ? 0
      : await em.transactional((tx) =>
          addSourceExtras(tx, { accountId, videoId }, { chapters, captions }),
        )
    return warningsOf({
      subtitles_dropped: subtitlesDropped + leftOut,
      chapters_dropped: extras.chapters.length - chapters.length,
    })
  } finally {
    await rm(outputDir, { recursive: true, force: true })
  }
}
