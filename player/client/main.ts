import { startFilm } from './playback/playback.ts'
import { connectParent } from './parent/parent-messages.ts'
import { takePlayerData } from './player-data.ts'
import { standInPoster } from './playback/startup.ts'
import { connectSound } from './playback/sound.ts'
import { setStage } from './player-context.ts'
import { applyTheme } from './controls/theme.ts'
import { whenControlsMayCome } from './controls/wait-until-controls-can-load.ts'

/**
 * The film first: its manifest, its key and its first segments are on their way before the controls
 * are put together, which costs a processor longer than anything else in the page.
 */
async function main(): Promise<void> {
  const data = takePlayerData()
  const container = document.querySelector<HTMLElement>('#player')
  const video = container?.querySelector('video')
  if (!video || !container) return
  applyTheme(data.colors)
  const stage = setStage(data, container, video)
  connectParent({ video, container })
  connectSound(video, stage.memory, stage.options)
  video.loop = stage.options.loop
  const { dataset } = document.documentElement
  for (const state of ['playing', 'pause', 'waiting', 'ended'])
    video.addEventListener(state, () => (dataset.state = state))
  container.addEventListener('contextmenu', (event) => event.preventDefault())
  const film = startFilm(stage)
  standInPoster(video)
  await whenControlsMayCome(stage, film)
  const { buildControls } = (await import(
    data.controlsUrl
  )) as typeof import('./controls/controls.ts')
  await buildControls(stage, film)
}

void main()
