import { createMenuItem, type MediaChromeMenu } from 'media-chrome/menu/media-chrome-menu.js'
import { isolateIn } from '../../../domain/isolate-text.ts'
import type { MenuId, PlayerExtras } from '../../player-data.ts'
import type { CaptionContext } from '../captions/caption-context.ts'
import { addCaptions } from '../captions/captions.ts'
import { element } from '../element.ts'
import { clockTime } from '../locales/words.ts'
import { seekTo } from '../playback/seek.ts'
import type { Session } from '../playback/session.ts'
import { addMoments } from './moments.ts'

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
  const track = document.createElement('track')
  Object.assign(track, { kind: 'metadata', label: 'thumbnails' })
  track.src = URL.createObjectURL(
    new Blob([index.replaceAll(`${name}#`, `${imageUrl}#`)], { type: 'text/vtt' }),
  )
  video.append(track)
  track.track.mode = 'hidden'
}

/**
 * Adds the chapters to the seek bar, where Media Chrome draws and labels the cues of a chapters track.
 * Lists chapters and moments in menus and shows the title of the current chapter.
 */
function addChapters(
  video: HTMLVideoElement,
  { chapters, moments }: Pick<PlayerExtras, 'chapters' | 'moments'>,
): void {
  if (chapters.length > 0) {
    const track = video.addTextTrack('chapters')
    track.mode = 'hidden'
    for (const { title, start, end } of chapters)
      track.addCue(new VTTCue(start, end, escapeCue(title)))
    // Media Chrome reads the cues when a track changes, not when a cue is added.
    video.textTracks.dispatchEvent(new Event('change'))
    showCurrentChapter(video, chapters)
  }
  fillSeekMenu(
    'chapters-menu',
    video,
    chapters.map(({ title, start }) => ({ title, seconds: start })),
  )
  fillSeekMenu(
    'moments-menu',
    video,
    moments.map(({ label, timestamp }) => ({ title: label, seconds: timestamp })),
  )
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

function fillSeekMenu(
  id: MenuId,
  video: HTMLVideoElement,
  targets: { title: string; seconds: number }[],
): void {
  const menu = element<MediaChromeMenu>(id)
  const settingsItem = menu?.closest<HTMLElement>('media-settings-menu-item')
  if (!menu || !settingsItem) return
  settingsItem.hidden = targets.length === 0
  for (const { title, seconds } of targets) {
    const item = createMenuItem({
      text: `${clockTime(seconds)}  ${isolateIn('', title)}`,
      value: String(seconds),
      checked: false,
    })
    item.addEventListener('click', () => seekTo(video, seconds))
    menu.append(item)
  }
}
