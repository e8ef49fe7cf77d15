import type { PlayerData } from '../player-data.ts'
import { applyTheme } from './controls/theme.ts'
import { element } from './element.ts'
import { connectParent } from './parent/parent-messages.ts'
import { startPlayback } from './playback/playback.ts'
import { connectSound } from './playback/sound.ts'
import { showPosterIfSlow, waitUntilControlsCanLoad } from './playback/startup.ts'
import { createPlayerContext } from './player-context.ts'

/**
 * Starts the video before the controls: building them takes more processor time than anything else in
 * the page, and by then the manifest, the key and the first segments are already requested.
 */
async function main(): Promise<void> {
  const data = takePlayerData()
  const container = element('player')
  const video = container?.querySelector('video')
  if (!video || !container) return
  applyTheme(data.colors)
  const context = createPlayerContext(data, container, video)
  connectParent({ video, container })
  connectSound(video, context.memory, context.options)
  video.loop = context.options.loop
  const { dataset } = document.documentElement
  for (const state of ['playing', 'pause', 'waiting', 'ended'])
    video.addEventListener(state, () => (dataset.state = state))
  container.addEventListener('contextmenu', (event) => event.preventDefault())
  const playback = startPlayback(context)
  showPosterIfSlow(video)
  await waitUntilControlsCanLoad(context, playback)
  const controls: typeof import('./controls/controls.ts') = await import(data.controlsUrl)
  await controls.buildControls(context, playback)
}

/** Reads the page's data and removes it from the page. */
function takePlayerData(): PlayerData {
  const script = element('player-data')
  const data: PlayerData = JSON.parse(script?.textContent ?? '{}')
  script?.remove()
  return data
}

void main()
