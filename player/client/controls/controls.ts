import type { PlayerData } from '../../player-data.ts'
import type { DrmWords } from '../drm/locales/drm-words.ts'
import { element } from '../element.ts'
import { clockTime, fillIn, type Words } from '../locales/words.ts'
import helpStyle from '../more/help.css' with { type: 'text' }
import moreStyle from '../more/more.css' with { type: 'text' }
import type { Playback } from '../playback/playback.ts'
import type { PlayerContext } from '../player-context.ts'
import type { MessageCode } from '../problems.ts'
import { createActions } from './actions.ts'
import { connectAudioMenu } from './audio-menu.ts'
import { connectMore, type Loaded } from './connect-more.ts'
import { labelControls } from './elements.ts'
import { connectEndScreen } from './end-screen.ts'
import { addExtras } from './extras.ts'
import { createFailureReports } from './failure-reports.ts'
import { connectAnnouncer, connectMessages, showBuffering, type Announcer } from './feedback.ts'
import { connectFullScreen } from './full-screen.ts'
import { connectGestures } from './gestures.ts'
import { connectHelpSheet, connectKeyboard } from './keyboard.ts'
import { connectLoop } from './loop.ts'
import { connectMediaSession } from './media-session.ts'
import { connectSettings } from './menus.ts'
import { explainObstacles } from './obstacles.ts'
import { offerAudio } from './offer-audio.ts'
import { pauseOthers } from './pause-others.ts'
import { connectPictureInPicture, noPictureInPicture } from './picture-in-picture.ts'
import { connectPreview } from './preview.ts'
import { connectQualityMenu } from './quality-menu.ts'
import { connectRemote } from './remote.ts'
import { addSkipButtons } from './skip-buttons.ts'

/** Builds the controls, and adds the menus and extras once the video has loaded. */
export async function buildControls(
  context: PlayerContext,
  starting: Promise<Playback | null>,
): Promise<void> {
  const { data, problems, video } = context
  const [{ default: words }, drmWords] = await Promise.all([
    wordsModule(data.wordsUrl),
    loadDrmWords(data),
  ])
  const announcer = connectAnnouncer()
  const loaded: Loaded = { player: null, qualityMenu: null }
  adoptStyle()
  connectControls(context, words, announcer, loaded)
  let retry = (): void => location.reload()
  document.documentElement.dataset.controls = ''
  const retryAfter = (code: MessageCode): void =>
    code === 'watermark_lost' ? void video.play().catch(() => undefined) : retry()
  const reports = createFailureReports(context)
  problems.follow(connectMessages({ words, drmWords, reports }, retryAfter))
  const playback = await starting
  if (!playback) return
  retry = () => playback.retry()
  const { player, drm } = playback.engine
  const menu = connectQualityMenu(player, context, words)
  Object.assign(loaded, { player, qualityMenu: menu })
  if (drm && drmWords) explainObstacles({ player, video, drm, words: drmWords }, menu)
  connectAudioMenu(player, words)
  offerAudio(player, context, words)
  showBuffering(player, video, { words, announcer })
  if (playback.startSeconds !== null)
    announcer.show(fillIn(words.announce.resumed, { time: clockTime(playback.startSeconds) }))
  await addExtras({ ...context, words, announcer }).catch(() => undefined)
}

/** Here and not in the page's style, which delays the first frame. */
function adoptStyle(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(moreStyle + helpStyle)
  document.adoptedStyleSheets.push(sheet)
}

const wordsModule = (url: string): Promise<{ default: Words }> => import(url)

/** Resolves to null for a ClearKey video. */
async function loadDrmWords({ drm }: PlayerData): Promise<DrmWords | null> {
  if (!drm) return null
  const { default: words }: { default: DrmWords } = await import(drm.wordsUrl)
  return words
}

function connectControls(
  context: PlayerContext,
  words: Words,
  announcer: Announcer,
  loaded: Loaded,
): void {
  const { video, container, data, fillWindow, options } = context
  const hasWatermark = data.watermark !== null
  labelControls(words)
  connectSettings()
  connectPreview(video)
  const loop = connectLoop(video, { words, announcer })
  const actions = createActions(video, container, {
    words,
    announcer,
    loop,
    frameRate: () =>
      loaded.player?.getVideoTracks().find(({ active }) => active)?.frameRate ?? null,
  })
  const hidden = noPictureInPicture(video) ? ['pictureInPicture'] : []
  const showHelp = connectHelpSheet(words, hidden, () => context.raiseWatermark())
  connectRemote(actions)
  connectKeyboard(actions, showHelp, context.earlyKeys)
  element('keyboard-item')?.addEventListener('click', showHelp)
  connectMore(context, { words, announcer, actions, loop, showHelp, loaded })
  connectGestures({ video, container, actions, announcer })
  connectFullScreen({
    container,
    video,
    hasWatermark,
    fillWindow,
    refuse: () => announcer.show(words.announce.noFullScreen),
  })
  connectPictureInPicture(video)
  connectMediaSession(video, actions)
  connectEndScreen(data, words)
  if (!options.together) pauseOthers(video)
  if (options.skip) addSkipButtons()
  video.addEventListener('play', () => announcer.say(words.announce.playing))
  video.addEventListener('pause', () => announcer.say(words.announce.paused))
  video.addEventListener('ended', () => announcer.say(words.announce.ended))
}
