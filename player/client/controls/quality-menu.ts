import { fillIn, type Words } from '../locales/words.ts'
import type { RadioChoice, RadioMenu } from '../menus/radio-menu.ts'
import { DATA_SAVER, DATA_SAVER_MEGABYTES, saverLimits } from '../playback/data-saver.ts'
import { rungName } from '../playback/rung-name.ts'
import type { ShakaPlayer, VideoTrack } from '../playback/shaka.ts'
import { whyNotMore, type QualityLimit } from '../playback/why-not-more.ts'
import type { PlayerContext } from '../player-context.ts'
import type { Menus } from './menus-on-use.ts'

const AUTO = 'auto'
const SAVER = 'saver'

/** The quality menu. */
export interface QualityMenu {
  /** Greys these rungs, each with its reason, and adds those that were never listed. */
  setObstacles(reasons: ReadonlyMap<string, string>): void
  /** Why automatic quality does not choose more; null if it plays the best rung, or is off. */
  limit(): QualityLimit | null
}

/**
 * Offers automatic quality, the data saver and every rung. The choice persists when rungs are added; the data
 * saver also for the viewer's other videos. After dropped frames or failed segments, Shaka Player disables a
 * rung for half a minute and does not list it. Videos never lose rungs, so the menu keeps each rung that was
 * ever listed.
 */
export function connectQualityMenu(
  player: ShakaPlayer,
  { video, memory }: Pick<PlayerContext, 'video' | 'memory'>,
  { words, menus }: { words: Words; menus: Promise<Menus> },
): QualityMenu {
  let chosen = memory.read(DATA_SAVER) === null ? AUTO : SAVER
  let menu: RadioMenu | null = null
  const rungs = new Map<string, VideoTrack>()
  let obstacles: ReadonlyMap<string, string> = new Map()
  const limit = (): QualityLimit | null =>
    chosen === AUTO ? limitOf(player, video, [...rungs.values()], obstacles.size > 0) : null
  const refresh = (): void => {
    for (const track of player.getVideoTracks()) rungs.set(rungName(track), track)
    const reason = limit()
    const choices = choicesOf([...rungs.keys()], { chosen, words, obstacles, player, reason })
    menu?.offer(choices, chosen)
  }
  const choose = (value: string): void => {
    chosen = value
    memory.write(DATA_SAVER, value === SAVER ? 'on' : null)
    apply(player, chosen)
    refresh()
  }
  void menus.then(({ connectRadioMenu }) => {
    menu = connectRadioMenu('quality-menu', choose)
    refresh()
  })
  player.addEventListener('adaptation', refresh)
  player.addEventListener('variantchanged', refresh)
  player.addEventListener('trackschanged', () => {
    if (chosen !== AUTO) apply(player, chosen)
    refresh()
  })
  new ResizeObserver(refresh).observe(video)
  refresh()
  return {
    limit,
    setObstacles(reasons) {
      obstacles = reasons
      refresh()
    },
  }
}

function apply(player: ShakaPlayer, chosen: string): void {
  const isAutomatic = chosen === AUTO || chosen === SAVER
  // Must come first, because switching automatic quality off enables every rung again.
  player.configure({
    abr: { enabled: isAutomatic, restrictions: saverLimits(chosen === SAVER) },
  })
  const track = player.getVideoTracks().find((candidate) => rungName(candidate) === chosen)
  if (track && !track.active) player.selectVideoTrack(track, true)
}

function limitOf(
  player: ShakaPlayer,
  video: HTMLVideoElement,
  rungs: VideoTrack[],
  hasObstacles: boolean,
): QualityLimit | null {
  const listed = player.getVideoTracks()
  const active = listed.find((track) => track.active)
  return active
    ? whyNotMore(active, {
        rungs,
        frame: {
          width: video.clientWidth * devicePixelRatio,
          height: video.clientHeight * devicePixelRatio,
        },
        isFullScreen: document.fullscreenElement !== null,
        hasObstacles,
        hasTrouble: listed.length < rungs.length,
      })
    : null
}

interface MenuFacts {
  chosen: string
  words: Words
  obstacles: ReadonlyMap<string, string>
  player: ShakaPlayer
  reason: QualityLimit | null
}

function choicesOf(
  rungs: string[],
  { chosen, words, obstacles, player, reason }: MenuFacts,
): RadioChoice[] {
  const { menus, limits } = words
  const active = player.getVideoTracks().find((track) => track.active)
  const named = (value: string, name: string): { value: string; text: string } => ({
    value,
    text: chosen === value && active ? `${name} (${rungName(active)})` : name,
  })
  const names = [...new Set([...rungs, ...obstacles.keys()])]
  names.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10))
  return [
    { ...named(AUTO, menus.auto), note: reason === null ? undefined : limits[reason] },
    {
      ...named(SAVER, menus.dataSaver),
      note: fillIn(menus.dataSaverNote, { megabytes: DATA_SAVER_MEGABYTES }),
    },
    ...names.map((name) => ({ value: name, text: name, obstacle: obstacles.get(name) })),
  ]
}
