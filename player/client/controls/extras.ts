import type { PlayerExtras } from '../../player-data.ts'
import { addCaptions } from './captions.ts'
import type { CaptionContext } from './captions.ts'
import { addChapters } from './chapters.ts'
import { addMoments } from './moments.ts'
import { addStoryboard } from './storyboard.ts'

/** Fetches what stands beside the film, and adds it; the film does not wait for it. */
export async function addExtras(context: CaptionContext): Promise<void> {
  const { video, session, data } = context
  const response = await session.fetch(data.extrasUrl)
  const extras = (await response.json()) as PlayerExtras
  addCaptions(context, extras.captions)
  addChapters(video, extras)
  addMoments(video, extras.moments)
  if (extras.storyboard) await addStoryboard(video, session, extras.storyboard)
}
