import { startFilm } from './film.ts'
import { connectParent } from './parent-messages.ts'
import { takePlayerData } from './player-data.ts'
import { standInPoster } from './poster.ts'
import { connectSound } from './sound.ts'
import { setStage } from './stage.ts'
import { applyTheme } from './theme.ts'
import { whenControlsMayCome } from './when-controls-may-come.ts'

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
  const { buildControls } = (await import(data.controlsUrl)) as typeof import('./controls.ts')
  await buildControls(stage, film)
}

void main()
