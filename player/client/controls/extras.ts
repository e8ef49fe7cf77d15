import type { PlayerExtras } from '../../player-data.ts'
import type { Session } from '../playback/session.ts'
import { addCaptions } from './captions.ts'
import type { CaptionContext } from './captions.ts'
import { addChapters, addMoments } from './chapters.ts'

/** Fetches captions, chapters, moments and the storyboard, and adds them to the controls. */
export async function addExtras(context: CaptionContext): Promise<void> {
  const { video, session, data } = context
  const response = await session.fetch(data.extrasUrl)
  const extras: PlayerExtras = await response.json()
  addCaptions(context, extras.captions)
  addChapters(video, extras)
  addMoments(video, extras.moments)
  if (extras.storyboard) await addStoryboard(video, session, extras.storyboard)
}

/** Adds previews to the seek bar: Media Chrome reads them from a track labelled `thumbnails`. */
async function addStoryboard(
  video: HTMLVideoElement,
  session: Session,
  storyboard: NonNullable<PlayerExtras['storyboard']>,
): Promise<void> {
  const [index, image] = await Promise.all([
    session.fetch(storyboard.index_url).then((response) => response.text()),
    session.fetch(storyboard.image_url).then((response) => response.blob()),
  ])
  const imageUrl = URL.createObjectURL(image)
  const name = /^(\S+)#xywh=/m.exec(index)?.[1]
  if (name === undefined) return
  const element = document.createElement('track')
  Object.assign(element, { kind: 'metadata', label: 'thumbnails' })
  element.src = URL.createObjectURL(
    new Blob([index.replaceAll(`${name}#`, `${imageUrl}#`)], { type: 'text/vtt' }),
  )
  video.append(element)
  element.track.mode = 'hidden'
}
