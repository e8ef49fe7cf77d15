import 'media-chrome'
import { hideMessage, messageFor, showMessage } from './messages.ts'
import { connectParent } from './parent-messages.ts'
import { takePlayerData } from './player-data.ts'
import type { PlayerData } from '../player-data.ts'
import { connectQualityMenu } from './quality-menu.ts'
import { openSession } from './session.ts'
import type { Session } from './session.ts'
import { loadShaka } from './shaka.ts'
import type { ShakaPlayer } from './shaka.ts'
import { showWatermark } from './watermark.ts'

const root = document.documentElement

/** Paints first, then loads the player, then plays what the viewer asks for. */
async function main(): Promise<void> {
  const data = takePlayerData()
  const video = document.querySelector('video')
  const container = document.querySelector<HTMLElement>('#player')
  if (!video || !container) return
  connectParent({ video, container })
  for (const [name, value] of Object.entries(data.colors))
    root.style.setProperty(`--${name}`, value)
  video.addEventListener('contextmenu', (event) => event.preventDefault())
  for (const state of ['playing', 'pause', 'waiting', 'ended'])
    video.addEventListener(state, () => (root.dataset.state = state))
  const session = openSession(data)
  const player = await createPlayer(data, session, video)
  if (data.watermark)
    showWatermark(container, data.watermark, () => {
      video.pause()
      video.addEventListener('play', () => video.pause())
      showMessage('watermark')
    })
  await open(data, session, player, video)
}

async function createPlayer(
  data: PlayerData,
  session: Session,
  video: HTMLVideoElement,
): Promise<ShakaPlayer> {
  const shaka = await loadShaka(data.shakaUrl)
  if (!shaka.Player.isBrowserSupported()) throw { category: 6 }
  const player = new shaka.Player()
  await player.attach(video)
  const { MANIFEST, LICENSE } = shaka.net.NetworkingEngine.RequestType
  player.getNetworkingEngine()?.registerRequestFilter((type, request) => {
    // Segments may come from a CDN, which has no business with the session.
    if (type === MANIFEST || type === LICENSE) Object.assign(request.headers, session.headers())
  })
  player.configure({
    drm: { servers: { 'org.w3.clearkey': new URL(data.licenceUrl, location.href).href } },
    streaming: { bufferingGoal: 20, rebufferingGoal: 1 },
    abr: { restrictToElementSize: false },
  })
  player.addEventListener('error', (event) =>
    showMessage(messageFor((event as CustomEvent<unknown>).detail)),
  )
  return player
}

async function open(
  data: PlayerData,
  session: Session,
  player: ShakaPlayer,
  video: HTMLVideoElement,
): Promise<void> {
  const quality = connectQualityMenu(player)
  const load = async (startTime?: number): Promise<void> => {
    await player.load(data.manifestUrl, startTime)
    quality.refresh()
  }
  await load()
  root.dataset.state = 'ready'
  let known = data.renditions
  session.start({
    onRenditions(count) {
      if (count <= known) return
      known = count
      void joinNewRungs(video, load)
    },
    onEnded() {
      video.pause()
      showMessage('session_ended')
    },
  })
  video.addEventListener('play', hideMessage)
}

/** New rungs join at the position and in the state that the viewer is in. */
async function joinNewRungs(
  video: HTMLVideoElement,
  load: (startTime: number) => Promise<void>,
): Promise<void> {
  const { paused, currentTime, playbackRate } = video
  await load(currentTime)
  video.playbackRate = playbackRate
  if (!paused) await video.play()
}

requestAnimationFrame(() =>
  setTimeout(() => {
    main().catch((error: unknown) => showMessage(messageFor(error)))
  }),
)
