import type { PlayerData } from '../../player-data.ts'
import type { DrmWords } from '../drm/words/drm-words.ts'
import { element } from '../element.ts'
import type { Playback } from '../playback/playback.ts'
import type { PlayerContext } from '../player-context.ts'
import { clockTime, fillIn } from '../words/words.ts'
import type { Words } from '../words/words.ts'
import { connectFullScreen, connectGestures, createActions } from './actions.ts'
import { labelControls } from './elements.ts'
import { addExtras } from './extras.ts'
import { connectAnnouncer, connectMessages, showBuffering } from './feedback.ts'
import type { Announcer } from './feedback.ts'
import { connectHelpSheet, connectKeyboard } from './keyboard.ts'
import { connectAudioMenu, connectQualityMenu } from './menus.ts'
import { explainObstacles } from './obstacles.ts'

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
  connectControls(context, words, announcer)
  let retry = (): void => location.reload()
  document.documentElement.dataset.controls = ''
  problems.follow(connectMessages(words, drmWords, () => retry()))
  const playback = await starting
  if (!playback) return
  retry = () => playback.retry()
  const { player, drm } = playback.engine
  const menu = connectQualityMenu(player, words)
  if (drm && drmWords) explainObstacles({ player, video, drm, words: drmWords }, menu)
  connectAudioMenu(player, words)
  showBuffering(player, video, { words, announcer })
  if (playback.startSeconds !== null)
    announcer.show(fillIn(words.announce.resumed, { time: clockTime(playback.startSeconds) }))
  await addExtras({ ...context, words, announcer }).catch(() => undefined)
}

const wordsModule = (url: string): Promise<{ default: Words }> => import(url)

/** Resolves to null for a ClearKey video. */
async function loadDrmWords({ drm }: PlayerData): Promise<DrmWords | null> {
  if (!drm) return null
  const { default: words }: { default: DrmWords } = await import(drm.wordsUrl)
  return words
}

/** Media Chrome plays and pauses at a click on the picture. */
function flashClicks(video: HTMLVideoElement, announcer: Announcer): void {
  video.addEventListener('click', () => {
    if (!video.ended) announcer.flash(video.paused ? 'play' : 'pause')
  })
}

function connectControls(context: PlayerContext, words: Words, announcer: Announcer): void {
  const { video, container, data, fillWindow } = context
  const hasWatermark = data.watermark !== null
  labelControls(words)
  const actions = createActions(video, container, { words, announcer })
  const showHelp = connectHelpSheet(words, hasWatermark ? ['pictureInPicture'] : [])
  connectKeyboard(actions, showHelp, context.earlyKeys)
  element('keyboard-item')?.addEventListener('click', showHelp)
  connectGestures(video, actions)
  flashClicks(video, announcer)
  connectFullScreen({ container, video, hasWatermark, fillWindow })
  video.addEventListener('play', () => announcer.say(words.announce.playing))
  video.addEventListener('pause', () => announcer.say(words.announce.paused))
  video.addEventListener('ended', () => announcer.say(words.announce.ended))
}
