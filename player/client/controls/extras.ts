import type { PlayerExtras } from '../../player-data.ts'
import type { CaptionContext } from '../captions/caption-context.ts'
import { addCaptions } from '../captions/captions.ts'
import { element } from '../element.ts'
import type { Session } from '../playback/session.ts'
import type { Menus } from './menus-on-use.ts'
import { addMoments } from './moments.ts'

/** Fetches captions, chapters, moments and the storyboard, and adds them to the controls. */
export async function addExtras(context: CaptionContext, menus: Promise<Menus>): Promise<void> {
  const { video, session, data } = context
  const response = await session.fetch(data.extrasUrl)
  const extras: PlayerExtras = await response.json()
  addCaptions(context, extras.captions, menus)
  addChapters(video, extras.chapters)
  addMoments(video, extras.moments)
  void menus.then(({ fillSeekMenu }) => {
    const chapters = extras.chapters.map(({ title, start }) => ({ title, seconds: start }))
    const moments = extras.moments.map(({ label, timestamp }) => ({
      title: label,
      seconds: timestamp,
    }))
    fillSeekMenu('chapters-menu', video, chapters)
    fillSeekMenu('moments-menu', video, moments)
  })
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
  const track = document.createElement('track')
  Object.assign(track, { kind: 'metadata', label: 'thumbnails' })
  track.src = URL.createObjectURL(
    new Blob([index.replaceAll(`${name}#`, `${imageUrl}#`)], { type: 'text/vtt' }),
  )
  video.append(track)
  track.track.mode = 'hidden'
}

/**
 * Adds the chapters to the seek bar, where Media Chrome draws and labels the cues of a chapters track, and shows the
 * title of the current chapter.
 */
function addChapters(video: HTMLVideoElement, chapters: PlayerExtras['chapters']): void {
  if (chapters.length === 0) return
  const track = video.addTextTrack('chapters')
  track.mode = 'hidden'
  for (const { title, start, end } of chapters)
    track.addCue(new VTTCue(start, end, escapeCue(title)))
  // Media Chrome reads the cues when a track changes, not when a cue is added.
  video.textTracks.dispatchEvent(new Event('change'))
  showCurrentChapter(video, chapters)
}

/** Escapes a text for a cue, whose content is markup. */
const escapeCue = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function showCurrentChapter(video: HTMLVideoElement, chapters: PlayerExtras['chapters']): void {
  const label = element('chapter')
  if (!label) return
  const show = (): void => {
    const { currentTime } = video
    const current = chapters.find(({ start, end }) => start <= currentTime && currentTime < end)
    const title = current?.title ?? ''
    if (label.textContent !== title) label.textContent = title
  }
  video.addEventListener('timeupdate', show)
  show()
}
