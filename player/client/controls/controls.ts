import type { PlayerData } from '../../player-data.ts'
import { adoptStyle } from '../adopt-style.ts'
import type { DrmWords } from '../drm/locales/drm-words.ts'
import { element } from '../element.ts'
import { clockTime, fillIn, type Words } from '../locales/words.ts'
import type { Playback } from '../playback/playback.ts'
import type { PlayerContext } from '../player-context.ts'
import type { MessageCode } from '../problems.ts'
import { createActions, type Actions } from './actions.ts'
import { connectMore, helpSheet, type Loaded } from './connect-more.ts'
import style from './controls.css' with { type: 'text' }
import { correctRoles } from './elements.ts'
import { connectEndScreen } from './end-screen.ts'
import { addExtras } from './extras.ts'
import { createFailureReports } from './failure-reports.ts'
import { connectAnnouncer, connectMessages, showBuffering, type Announcer } from './feedback.ts'
import { connectFullScreen } from './full-screen.ts'
import { connectGestures } from './gestures.ts'
import { connectKeyboard } from './keyboard.ts'
import { connectLoop } from './loop.ts'
import { connectMediaSession } from './media-session.ts'
import { menusOnUse } from './menus-on-use.ts'
import { explainObstacles } from './obstacles.ts'
import { offerAudio } from './offer-audio.ts'
import { pauseOthers } from './pause-others.ts'
import { connectPictureInPicture } from './picture-in-picture.ts'
import { connectPreview } from './preview.ts'
import { connectQualityMenu } from './quality-menu.ts'
import { addSkipButtons } from './skip-buttons.ts'
import { isTelevision } from './television.ts'

/** Builds the controls, and adds the menus and extras once the video has loaded. */
export async function buildControls(
  context: PlayerContext,
  starting: Promise<Playback | null>,
): Promise<void> {
  const { data, problems, video } = context
  const [{ default: words }, drmWords, remote] = await Promise.all([
    wordsModule(data.wordsUrl),
    loadDrmWords(data),
    isTelevision(navigator.userAgent) ? import('./remote.ts') : null,
  ])
  const announcer = connectAnnouncer()
  const loaded: Loaded = { player: null, qualityMenu: null }
  adoptStyle(style)
  const actions = connectControls(context, words, announcer, loaded)
  remote?.connectRemote(actions)
  const menus = menusOnUse()
  void menus.then(({ connectSettings }) => connectSettings(words))
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
  const menu = connectQualityMenu(player, context, { words, menus })
  Object.assign(loaded, { player, qualityMenu: menu })
  if (drm && drmWords) explainObstacles({ player, video, drm, words: drmWords }, menu)
  void menus.then(({ connectAudioMenu }) => connectAudioMenu(player, words))
  offerAudio(player, context, words)
  showBuffering(player, video, { words, announcer })
  if (playback.startSeconds !== null)
    announcer.show(fillIn(words.announce.resumed, { time: clockTime(playback.startSeconds) }))
  await addExtras({ ...context, words, announcer }, menus).catch(() => undefined)
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
): Actions {
  const { video, container, data, fillWindow, options } = context
  const hasWatermark = data.watermark !== null
  correctRoles()
  connectPreview(video)
  const loop = connectLoop(video, { words, announcer })
  const actions = createActions(video, container, {
    words,
    announcer,
    loop,
    frameRate: () =>
      loaded.player?.getVideoTracks().find(({ active }) => active)?.frameRate ?? null,
  })
  const showHelp = helpSheet(context, words)
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
  return actions
}
