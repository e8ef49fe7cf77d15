import type { DrmWords } from '../drm/locales/drm-words.ts'
import type { DrmSupport } from '../playback/drm-support.ts'
import type { ShakaPlayer } from '../playback/shaka.ts'
import type { QualityMenu } from './quality-menu.ts'

/** Says in the quality menu why this device is not offered a quality, and follows screens and licences. */
export function explainObstacles(
  {
    player,
    video,
    drm,
    words,
  }: { player: ShakaPlayer; video: HTMLVideoElement; drm: DrmSupport; words: DrmWords },
  menu: QualityMenu,
): void {
  let latest = 0
  const update = async (): Promise<void> => {
    const asked = (latest += 1)
    const found = await drm.obstacles(player, video)
    // A later question may have been resolved first.
    if (asked !== latest) return
    menu.setObstacles(new Map([...found].map(([rung, why]) => [rung, words.obstacles[why]])))
  }
  const updateQuietly = (): void => void update().catch(() => undefined)
  player.addEventListener('keystatuschanged', updateQuietly)
  player.addEventListener('trackschanged', updateQuietly)
  updateQuietly()
}
