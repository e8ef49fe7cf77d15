import './controls.ts'
import type { PlayerData } from '../player-data.ts'
import { createActions } from './actions.ts'
import { connectAnnouncer } from './announce.ts'
import { connectAudioMenu } from './audio-menu.ts'
import type { CaptionContext } from './captions.ts'
import { fetchManifest, rememberBandwidth, startEngine } from './engine.ts'
import type { Engine } from './engine.ts'
import { embeddingMistake, messageFor } from './error-code.ts'
import { addExtras } from './extras.ts'
import { connectFullScreen } from './full-screen.ts'
import { connectGestures } from './gestures.ts'
import { connectHelpSheet } from './help-sheet.ts'
import { joinNewRungs } from './join-new-rungs.ts'
import { connectKeyboard } from './keyboard.ts'
import { labelControls } from './labels.ts'
import { openMemory } from './memory.ts'
import type { MessageCode } from './message-code.ts'
import { connectMessages } from './messages.ts'
import type { Messages } from './messages.ts'
import { readOptions } from './options.ts'
import { takePlayerData } from './player-data.ts'
import { rememberPosition, startPosition } from './position.ts'
import { connectQualityMenu } from './quality-menu.ts'
import { loadPatiently, recoverFrom } from './recover.ts'
import { openSession } from './session.ts'
import { connectSound } from './sound.ts'
import { whenSeen } from './start-when-seen.ts'
import { applyTheme } from './theme.ts'
import { guardWatermark } from './watermark/guard.ts'
import { countWatched } from './watched.ts'
import type { Words } from './words/words.ts'

const root = document.documentElement

/** Everything that the parts of the page share. */
interface Page extends CaptionContext {
  container: HTMLElement
  messages: Messages
}

/** The page is painted; now the player is put together, and the film's start is fetched. */
async function main(): Promise<void> {
  const data = takePlayerData()
  const container = document.querySelector<HTMLElement>('#player')
  const video = container?.querySelector('video')
  if (!video || !container) return
  applyTheme(data.colors)
  const { default: words } = (await import(data.wordsUrl)) as { default: Words }
  const page = assemble(data, words, container, video)
  connectControls(page)
  const mistake = embeddingMistake()
  if (mistake) return page.messages.show(mistake)
  const wish = rememberWish(page)
  await whenSeen(container)
  const early = fetchManifest(data, page.session)
  try {
    const engine = await startEngine(video, page, early)
    await play(page, engine, wish)
  } catch (error) {
    page.messages.show(messageFor(error))
  }
}

function assemble(
  data: PlayerData,
  words: Words,
  container: HTMLElement,
  video: HTMLVideoElement,
): Page {
  const memory = openMemory()
  const options = readOptions(location.search)
  const messages = connectMessages(words, () => location.reload())
  const announcer = connectAnnouncer()
  const session = openSession(data)
  return { data, words, container, video, memory, options, messages, announcer, session }
}

function connectControls(page: Page): void {
  const { video, container, words, memory, options, data, announcer } = page
  labelControls(words)
  connectSound(video, memory, options)
  video.loop = options.loop
  const actions = createActions(video, container, { words, announcer })
  const hidden = data.watermark ? ['pictureInPicture'] : []
  const showHelp = connectHelpSheet(words, hidden)
  connectKeyboard(actions, showHelp)
  document.querySelector('#keyboard-item')?.addEventListener('click', showHelp)
  connectGestures(video, actions)
  connectFullScreen(container, () => Promise.resolve(false))
  container.addEventListener('contextmenu', (event) => event.preventDefault())
  for (const state of ['playing', 'pause', 'waiting', 'ended'])
    video.addEventListener(state, () => (root.dataset.state = state))
  video.addEventListener('play', () => announcer.say(words.announce.playing))
  video.addEventListener('pause', () => announcer.say(words.announce.paused))
  video.addEventListener('ended', () => announcer.say(words.announce.ended))
}

/** Whether the viewer has asked to play, also while there is nothing yet that could. */
function rememberWish({ container, options }: Page): { toPlay: boolean } {
  const wish = { toPlay: options.autoplay }
  container.addEventListener('mediaplayrequest', () => (wish.toPlay = true))
  container.addEventListener('mediapauserequest', () => (wish.toPlay = false))
  return wish
}

async function play(page: Page, engine: Engine, wish: { toPlay: boolean }): Promise<void> {
  const { video, data, memory, options, words, messages, container, session } = page
  const stop = (code: MessageCode): void => {
    video.pause()
    void engine.player.unload().catch(() => undefined)
    messages.show(code)
  }
  recoverFrom(engine, video, messages, () => video.pause())
  if (data.watermark)
    guardWatermark({ container, video, look: data.watermark }, (how) => {
      session.reportTampering(how)
      stop('watermark')
    })
  await loadPatiently(engine, messages, startPosition(data, options, memory))
  root.dataset.state = 'ready'
  if (wish.toPlay) void video.play().catch(() => undefined)
  rememberPosition(video, data, memory)
  const quality = connectQualityMenu(engine.player, words)
  const audio = connectAudioMenu(engine.player, words, root.lang)
  const refresh = (): void => {
    quality.refresh()
    audio.refresh()
  }
  refresh()
  const watched = countWatched(video)
  session.start({
    progress: () => {
      rememberBandwidth(engine.player, memory)
      return {
        position_seconds: video.currentTime,
        watched_seconds: watched(),
        bytes_loaded: engine.player.getStats().bytesDownloaded,
      }
    },
    onRenditions: joinNewRungs(engine, video, data.renditions, refresh),
    onEnded: stop,
  })
  addEventListener('pagehide', () => session.report())
  await addExtras(page).catch(() => undefined)
}

void main()
