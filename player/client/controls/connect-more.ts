import { element } from '../element.ts'
import type { Words } from '../locales/words.ts'
import type { ShakaPlayer } from '../playback/shaka.ts'
import type { PlayerContext } from '../player-context.ts'
import type { Actions } from './actions.ts'
import { copyText } from './copy-text.ts'
import type { Announcer } from './feedback.ts'
import type { PartLoop } from './loop.ts'
import { noPictureInPicture } from './picture-in-picture.ts'
import type { QualityMenu } from './quality-menu.ts'

/** What exists once the video has loaded. */
export interface Loaded {
  player: ShakaPlayer | null
  qualityMenu: QualityMenu | null
}

interface MoreParts {
  words: Words
  announcer: Announcer
  actions: Actions
  loop: PartLoop
  showHelp: () => void
  loaded: Loaded
}

/**
 * Opens the player's context menu in place of the browser's, and from the settings, for fingers. Its code and
 * the statistics load when they are first asked for.
 */
export function connectMore(context: PlayerContext, parts: MoreParts): void {
  const { container } = context
  const open = (at: { x: number; y: number } | null): void =>
    void openMenu(context, parts, at).catch(() => undefined)
  container.addEventListener('contextmenu', (event) => {
    // A finger that is held plays faster.
    const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
    if (!isTouch && !('error' in document.documentElement.dataset))
      open({ x: event.clientX, y: event.clientY })
  })
  element('more-item')?.addEventListener('click', () => open(null))
}

/** Returns what opens the help sheet, or closes it. Its code loads then, too. */
export const helpSheet = (context: PlayerContext, words: Words) => (): void =>
  void import('../more/more.ts')
    .then(({ toggleHelp }) =>
      toggleHelp({
        words,
        without: noPictureInPicture(context.video) ? ['pictureInPicture'] : [],
        onShown: () => context.raiseWatermark(),
      }),
    )
    .catch(() => undefined)

async function openMenu(
  { container, video, data }: PlayerContext,
  { words, announcer, actions, loop, showHelp, loaded }: MoreParts,
  at: { x: number; y: number } | null,
): Promise<void> {
  const { openContextMenu, toggleStatistics } = await import('../more/more.ts')
  const { linkUrl, videoId, sessionId } = data
  const copyLink = (url: string) => (): void =>
    void copyText(linkAt(url, video.currentTime)).then(() =>
      announcer.show(words.announce.linkCopied),
    )
  openContextMenu(
    {
      container,
      words,
      actions,
      loop,
      copyLink: linkUrl === null ? null : copyLink(linkUrl),
      canPictureInPicture: noPictureInPicture(video) === null,
      showHelp,
      showStatistics: () =>
        toggleStatistics({
          container,
          video,
          words,
          player: loaded.player,
          limit: () => loaded.qualityMenu?.limit() ?? null,
          videoId,
          sessionId,
        }),
    },
    at,
  )
}

/** The address with the option that starts the video at a position. */
function linkAt(address: string, seconds: number): string {
  const url = new URL(address)
  url.searchParams.set('start', String(Math.floor(seconds)))
  return url.href
}
