import { createMenuItem, type MediaChromeMenu } from 'media-chrome/menu/media-chrome-menu.js'
import { isolateIn } from '../../../domain/isolate-text.ts'
import type { MenuId } from '../../player-data.ts'
import { element } from '../element.ts'
import { clockTime } from '../locales/words.ts'
import { seekTo } from '../playback/seek.ts'

/** Fills a menu with places of the video, to which its items seek. Hidden if there are none. */
export function fillSeekMenu(
  id: MenuId,
  video: HTMLVideoElement,
  targets: readonly { title: string; seconds: number }[],
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
