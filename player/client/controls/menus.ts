import { createMenuItem } from 'media-chrome/menu/media-chrome-menu.js'
import type { MediaChromeMenu } from 'media-chrome/menu/media-chrome-menu.js'
import type { MenuId } from '../../player-data.ts'
import { element } from '../element.ts'
import { rungName } from '../playback/rung-name.ts'
import type { AudioTrack, ShakaPlayer } from '../playback/shaka.ts'
import { fillIn } from '../words/words.ts'
import type { Words } from '../words/words.ts'

interface RadioChoice {
  value: string
  text: string
  /** Why it cannot be chosen, shown below its text. */
  obstacle?: string | undefined
}

/** A submenu of the settings with one selected choice. */
interface RadioMenu {
  /** Replaces the choices. Hides the submenu if there are fewer than two. */
  offer(choices: RadioChoice[], chosen: string): void
}

/** Connects the submenu with the given id. Calls `onChosen` with the value that the viewer selects. */
export function connectRadioMenu(id: MenuId, onChosen: (value: string) => void): RadioMenu {
  const menu = element<MediaChromeMenu>(id)
  const item = menu?.closest<HTMLElement>('media-settings-menu-item')
  menu?.addEventListener('change', () => onChosen(menu.value))
  let shown = ''
  return {
    offer(choices, chosen) {
      if (!menu || !item) return
      item.hidden = choices.length < 2
      const items = menu.querySelectorAll('media-chrome-menu-item')
      const state = JSON.stringify([
        choices.map(({ value, obstacle }) => [value, obstacle]),
        chosen,
      ])
      if (state === shown) {
        // In place: rebuilding an open menu would close it and lose the focus.
        for (const [index, { text }] of choices.entries()) {
          const label = items[index]?.querySelector('span')
          if (label) label.textContent = text
        }
        // Media Chrome then reads the selected choice again, which the settings show beside the submenu's name.
        menu.dispatchEvent(new CustomEvent('addmenuitem'))
        return
      }
      shown = state
      for (const old of items) old.remove()
      for (const { value, text, obstacle } of choices) {
        const made = createMenuItem({ type: 'radio', text, value, checked: value === chosen })
        if (obstacle !== undefined) refuse(made, obstacle)
        menu.append(made)
      }
    },
  }
}

/** Greys an item and writes the reason below it. It keeps the focus, so that screen readers read the reason. */
function refuse(item: HTMLElement, reason: string): void {
  const text = document.createElement('small')
  text.className = 'obstacle'
  text.textContent = reason
  item.append(text)
  item.setAttribute('aria-disabled', 'true')
  const stop = (event: Event): void => {
    const isChoice = !(event instanceof KeyboardEvent) || [' ', 'Enter'].includes(event.key)
    if (isChoice) event.stopImmediatePropagation()
  }
  item.addEventListener('click', stop, { capture: true })
  item.addEventListener('keyup', stop, { capture: true })
}

const AUTO = 'auto'

/** The quality menu. */
export interface QualityMenu {
  /** Greys these rungs, each with its reason, and adds those that were never listed. */
  setObstacles(reasons: ReadonlyMap<string, string>): void
}

/**
 * Offers automatic quality and every rung. The choice persists when rungs are added. After dropped
 * frames or failed segments, Shaka Player disables a rung for half a minute and does not list it. Videos
 * never lose rungs, so the menu keeps each rung that was ever listed.
 */
export function connectQualityMenu(player: ShakaPlayer, words: Words): QualityMenu {
  let chosen = AUTO
  const rungs = new Set<string>()
  let obstacles: ReadonlyMap<string, string> = new Map()
  const apply = (): void => {
    // Must come first, because switching automatic quality off enables every rung again.
    player.configure({ abr: { enabled: chosen === AUTO } })
    const track = player.getVideoTracks().find((candidate) => rungName(candidate) === chosen)
    if (track && !track.active) player.selectVideoTrack(track, true)
  }
  const refresh = (): void => {
    const tracks = player.getVideoTracks()
    for (const track of tracks) rungs.add(rungName(track))
    const active = tracks.find((track) => track.active)
    const now = chosen === AUTO && active ? ` (${rungName(active)})` : ''
    const names = [...new Set([...rungs, ...obstacles.keys()])]
    names.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10))
    const choices = names.map((name) => ({
      value: name,
      text: name,
      obstacle: obstacles.get(name),
    }))
    menu.offer([{ value: AUTO, text: `${words.menus.auto}${now}` }, ...choices], chosen)
  }
  const menu = connectRadioMenu('quality-menu', (value) => {
    chosen = value
    apply()
    refresh()
  })
  player.addEventListener('adaptation', refresh)
  player.addEventListener('variantchanged', refresh)
  player.addEventListener('trackschanged', () => {
    if (chosen !== AUTO) apply()
    refresh()
  })
  refresh()
  return {
    setObstacles(reasons) {
      obstacles = reasons
      refresh()
    },
  }
}

/** Fills the menu of audio tracks, named by label or language. Hidden if there is only one. */
export function connectAudioMenu(player: ShakaPlayer, words: Words): void {
  const { lang } = document.documentElement
  const menu = connectRadioMenu('audio-menu', (value) => {
    const track = player.getAudioTracks()[Number(value)]
    if (track) player.selectAudioTrack(track)
  })
  const refresh = (): void => {
    const tracks = player.getAudioTracks()
    const choices = tracks.map((track, index) => ({
      value: String(index),
      text: languageName(track, lang) ?? fillIn(words.menus.audioTrack, { number: index + 1 }),
    }))
    menu.offer(choices, String(tracks.findIndex(({ active }) => active)))
  }
  player.addEventListener('trackschanged', refresh)
  player.addEventListener('variantchanged', refresh)
  refresh()
}

function languageName({ label, language: tag }: AudioTrack, language: string): string | null {
  if (label !== null && label !== '') return label
  if (tag === '' || tag === 'und') return null
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(tag) ?? null
  } catch {
    return null
  }
}
