import { createMenuItem } from 'media-chrome/menu/media-chrome-menu.js'
import type { MediaChromeMenu } from 'media-chrome/menu/media-chrome-menu.js'
import type { PlayerExtras } from '../../player-data.ts'
import { clockTime } from '../words/fill-in.ts'

/**
 * Marks the chapters on the seek bar (Media Chrome draws and names what a chapters track holds),
 * lists them with the moments in a menu, and shows which one is playing.
 */
export function addChapters(
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
    showCurrent(video, chapters)
  }
  listPlaces(
    'chapters-menu',
    video,
    chapters.map(({ title, start }) => ({ title, at: start })),
  )
  listPlaces(
    'moments-menu',
    video,
    moments.map(({ label, timestamp }) => ({ title: label, at: timestamp })),
  )
}

/** A cue's text is markup. */
const escapeCue = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function showCurrent(video: HTMLVideoElement, chapters: PlayerExtras['chapters']): void {
  const label = document.querySelector<HTMLElement>('#chapter')
  if (!label) return
  const show = (): void => {
    const at = video.currentTime
    const current = chapters.find(({ start, end }) => start <= at && at < end)
    if (label.textContent !== (current?.title ?? '')) label.textContent = current?.title ?? ''
  }
  video.addEventListener('timeupdate', show)
  show()
}

function listPlaces(
  id: string,
  video: HTMLVideoElement,
  places: { title: string; at: number }[],
): void {
  const menu = document.querySelector<MediaChromeMenu>(`#${id}`)
  const item = menu?.closest<HTMLElement>('media-settings-menu-item')
  if (!menu || !item) return
  item.hidden = places.length === 0
  for (const { title, at } of places) {
    const made = createMenuItem({ text: `${clockTime(at)}  ${title}`, value: String(at) } as never)
    made.addEventListener('click', () => (video.currentTime = at))
    menu.append(made)
  }
}
