import type { PlayerData } from '../../player-data.ts'
import type { Words } from '../locales/words.ts'

/** Shows what the owner offers at the end: the replay button alone, with a link, or nothing. */
export function connectEndScreen({ end }: PlayerData, words: Words): void {
  const { dataset } = document.documentElement
  if (end.action === 'nothing') dataset.end = 'nothing'
  if (end.action !== 'link' || end.link_url === null) return
  const link = document.createElement('a')
  link.className = 'end-link'
  link.href = end.link_url
  link.target = '_blank'
  link.rel = 'noopener'
  link.dir = 'auto'
  link.textContent = end.link_text ?? new URL(end.link_url).host
  link.title = words.opensNewTab
  document.querySelector('.centre')?.append(link)
}
