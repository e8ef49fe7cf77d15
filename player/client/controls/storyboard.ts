import type { PlayerExtras } from '../../player-data.ts'
import type { Session } from '../playback/session.ts'

/** Gives the seek bar its pictures: a track named `thumbnails`, as Media Chrome reads it. */
export async function addStoryboard(
  video: HTMLVideoElement,
  session: Session,
  storyboard: NonNullable<PlayerExtras['storyboard']>,
): Promise<void> {
  const [index, image] = await Promise.all([
    session.fetch(storyboard.index_url).then((response) => response.text()),
    session.fetch(storyboard.image_url).then((response) => response.blob()),
  ])
  const sprite = URL.createObjectURL(image)
  const name = /^(\S+)#xywh=/m.exec(index)?.[1]
  if (name === undefined) return
  const element = document.createElement('track')
  Object.assign(element, { kind: 'metadata', label: 'thumbnails' })
  element.src = URL.createObjectURL(
    new Blob([index.replaceAll(`${name}#`, `${sprite}#`)], { type: 'text/vtt' }),
  )
  video.append(element)
  element.track.mode = 'hidden'
}
