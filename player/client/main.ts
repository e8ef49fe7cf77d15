import type { PlayerData } from '../player-data.ts'
import { applyTheme } from './controls/theme.ts'
import { element } from './element.ts'
import { connectAudio } from './memory.ts'
import { connectParent } from './parent/parent-messages.ts'
import { startPlayback, type Playback } from './playback/playback.ts'
import { createPlayerContext, type PlayerContext } from './player-context.ts'

const POSTER_AFTER_MS = 500
const CONTROLS_AFTER_MS = 3_000

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
  connectAudio(video, context.memory, context.options)
  video.loop = context.options.loop
  const { dataset } = document.documentElement
  for (const state of ['playing', 'pause', 'waiting', 'ended'])
    video.addEventListener(state, () => (dataset.state = state))
  container.addEventListener('contextmenu', (event) => event.preventDefault())
  // A poster of another shape than the video would show beside it.
  video.addEventListener('playing', () => video.style.removeProperty('--placeholder'), {
    once: true,
  })
  const playback = startPlayback(context)
  showPosterIfSlow(video)
  await waitUntilControlsCanLoad(context, playback)
  const controls = await loadControls(data.controlsUrls)
  await controls?.buildControls(context, playback)
}

/** Loads the module of the controls and, at the same time, those that it imports. */
async function loadControls(
  urls: string[],
): Promise<typeof import('./controls/controls.ts') | undefined> {
  const [controls] = await Promise.all(urls.map((url) => import(url)))
  return controls
}

/** Reads the page's data and removes it from the page. */
function takePlayerData(): PlayerData {
  const script = element('player-data')
  const data: PlayerData = JSON.parse(script?.textContent ?? '{}')
  script?.remove()
  return data
}

/**
 * Loads the poster of a video with autoplay, and shows its placeholder, only if the start is slow: a picture that the
 * video is about to replace would delay the first frame.
 */
function showPosterIfSlow(video: HTMLVideoElement): void {
  const { poster } = video.dataset
  if (!poster) return
  setTimeout(() => {
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) video.poster = poster
  }, POSTER_AFTER_MS)
}

/**
 * Resolves when building the controls no longer delays the video: after the first frame of autoplay,
 * when the video is ready or has failed, as soon as the viewer uses the page or has to wait for a video that is
 * being prepared, or after three seconds.
 */
async function waitUntilControlsCanLoad(
  { video, options }: PlayerContext,
  starting: Promise<Playback | null>,
): Promise<void> {
  const used = new Promise<void>((resolve) => {
    for (const event of ['pointermove', 'pointerdown', 'keydown', 'focusin', 'preparing'])
      addEventListener(event, () => resolve(), { once: true, passive: true })
  })
  const ready = starting.then(async (playback) => {
    if (playback && options.autoplay) await firstFrame(video)
  })
  await Promise.race([ready, used, delay(CONTROLS_AFTER_MS)])
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves immediately if the browser has blocked autoplay: there is no frame to wait for. */
function firstFrame(video: HTMLVideoElement): Promise<void> {
  if (video.paused || !('requestVideoFrameCallback' in video)) return Promise.resolve()
  return new Promise((resolve) => void video.requestVideoFrameCallback(() => resolve()))
}

void main()
