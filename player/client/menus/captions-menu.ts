import { createMenuItem, type MediaChromeMenu } from 'media-chrome/menu/media-chrome-menu.js'
import type { CaptionContext, Captions } from '../captions/caption-context.ts'
import { element } from '../element.ts'
import { connectRadioMenu } from './radio-menu.ts'

const OFF = 'off'

/** Fills the menu of caption tracks, with the ways to their panels below. Returns what brings it up to date. */
export function connectCaptionsMenu(context: CaptionContext, captions: Captions): () => void {
  const { words } = context
  const { tracks, choices, shown } = captions
  const menu = connectRadioMenu('captions-menu', (value) => shown.show(tracks[Number(value)]))
  const refresh = (): void => {
    const index = tracks.findIndex((track) => track === shown.first())
    const off = { value: OFF, text: words.menus.captionsOff }
    menu.offer([off, ...choices], choices[index]?.value ?? OFF)
  }
  refresh()
  const open = (name: 'openTranscript' | 'openCaptionPanel') => (): void =>
    void import('../more/more.ts')
      .then((more) => more[name]({ ...context, captions }))
      .catch(() => undefined)
  const place = element<MediaChromeMenu>('captions-menu')
  for (const [text, run] of [
    [words.captions.transcript, open('openTranscript')],
    [words.captions.style, open('openCaptionPanel')],
  ] as const) {
    const item = createMenuItem({ text, value: '', checked: false })
    item.className = 'way'
    item.addEventListener('click', run)
    place?.append(item)
  }
  return refresh
}
