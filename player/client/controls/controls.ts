import './elements.ts'
import { createActions } from './actions.ts'
import { connectAnnouncer } from './announce.ts'
import type { Announcer } from './announce.ts'
import { connectAudioMenu } from './audio-menu.ts'
import { showBuffering } from './buffering.ts'
import { addExtras } from './extras.ts'
import type { Film } from '../playback/playback.ts'
import { clockTime, fillIn } from '../words/fill-in.ts'
import { connectFullScreen } from './full-screen.ts'
import { connectGestures } from './gestures.ts'
import { connectHelpSheet } from './help-sheet.ts'
import { connectKeyboard } from './keyboard.ts'
import { labelControls } from './labels.ts'
import { connectMessages } from './messages.ts'
import { connectQualityMenu } from './quality-menu.ts'
import type { Stage } from '../player-context.ts'
import type { Words } from '../words/words.ts'

/** Puts the controls together, then what stands beside the film. */
export async function buildControls(stage: Stage, starting: Promise<Film | null>): Promise<void> {
  const { data, problems } = stage
  const { default: words } = (await import(data.wordsUrl)) as { default: Words }
  const announcer = connectAnnouncer()
  connectControls(stage, words, announcer)
  let retry = (): void => location.reload()
  document.documentElement.dataset.controls = ''
  problems.follow(connectMessages(words, () => retry()))
  const film = await starting
  if (!film) return
  retry = () => film.retry()
  connectQualityMenu(film.engine.player, words)
  connectAudioMenu(film.engine.player, words)
  showBuffering(film.engine.player, stage.video, { words, announcer })
  if (film.startSeconds !== null)
    announcer.show(fillIn(words.announce.resumed, { time: clockTime(film.startSeconds) }))
  await addExtras({ ...stage, words, announcer }).catch(() => undefined)
}

function connectControls(stage: Stage, words: Words, announcer: Announcer): void {
  const { video, container, data } = stage
  labelControls(words)
  const actions = createActions(video, container, { words, announcer })
  const showHelp = connectHelpSheet(words, data.watermark ? ['pictureInPicture'] : [])
  connectKeyboard(actions, showHelp, stage.pressed)
  document.querySelector('#keyboard-item')?.addEventListener('click', showHelp)
  connectGestures(video, actions)
  const hasWatermark = data.watermark !== null
  connectFullScreen({ container, video, hasWatermark, fillWindow: stage.fillWindow })
  video.addEventListener('play', () => announcer.say(words.announce.playing))
  video.addEventListener('pause', () => announcer.say(words.announce.paused))
  video.addEventListener('ended', () => announcer.say(words.announce.ended))
}
