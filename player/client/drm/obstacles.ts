import { trackTypeByPixels } from '../../../domain/drm/key-contract.ts'
import type { PlayerDrm } from '../../player-data.ts'
import { rungName } from '../playback/rung-name.ts'
import type { ShakaPlayer, ShakaVariant } from '../playback/shaka.ts'
import { grantedInfo } from './granted-levels.ts'
import { isHardwareLevel } from './key-systems.ts'

/** Why a quality is not offered on this device. */
export type Obstacle = 'hdcp' | 'hardware' | 'licence'

/** What decides why a rung has no key. */
export interface DeviceFacts {
  isHardware: boolean
  /** Whether the output has HDCP, for HD and for UHD; null if the browser cannot tell. */
  hasHdcp: { hd: boolean | null; uhd: boolean | null }
}

/** Returns why a rung without a usable key is not offered. `status` is that of its key; undefined without one. */
export function obstacleOf(
  size: { width: number; height: number },
  status: string | undefined,
  drm: PlayerDrm,
  { isHardware, hasHdcp }: DeviceFacts,
): Obstacle {
  if (status === 'output-restricted') return 'hdcp'
  // By pixels, as the keys of Multi-DRM videos are.
  const type = trackTypeByPixels(size)
  if (type === 'SD') return 'licence'
  const isUhd = type === 'UHD'
  if ((isUhd ? drm.uhdNeedsHardware : drm.hdNeedsHardware) && !isHardware) return 'hardware'
  const isShown = isUhd ? hasHdcp.uhd : hasHdcp.hd
  return drm.outputProtection === 'required' && isShown === false ? 'hdcp' : 'licence'
}

/** EME key statuses with which a key decrypts. */
const USABLE = ['usable', 'output-downscaled', 'status-pending', 'released']

/**
 * Returns the rungs that the video has and this device may not show, with the reason. Empty until the first
 * licence has arrived.
 */
export async function findObstacles(
  player: ShakaPlayer,
  video: HTMLVideoElement,
  variants: readonly ShakaVariant[],
  drm: PlayerDrm,
): Promise<Map<string, Obstacle>> {
  const statuses = player.getKeyStatuses()
  const found = new Map<string, Obstacle>()
  if (Object.keys(statuses).length === 0) return found
  const refused = variants.flatMap(({ video: rung }) => {
    const [keyId] = rung?.keyIds ?? []
    if (!rung || keyId === undefined || USABLE.includes(statuses[keyId] ?? '')) return []
    return [{ rung, status: statuses[keyId] }]
  })
  if (refused.length === 0) return found
  const facts = await readFacts(player, video, variants)
  for (const { rung, status } of refused) {
    const size = { width: rung.width ?? 0, height: rung.height ?? 0 }
    found.set(rungName(rung), obstacleOf(size, status, drm, facts))
  }
  return found
}

async function readFacts(
  player: ShakaPlayer,
  video: HTMLVideoElement,
  variants: readonly ShakaVariant[],
): Promise<DeviceFacts> {
  const [hd, uhd] = await Promise.all([hasHdcp(video, '1.4'), hasHdcp(video, '2.2')])
  const name = player.keySystem()
  const isHardware =
    name.startsWith('com.apple.fps') || isHardwareLevel(grantedLevel(variants, name))
  return { isHardware, hasHdcp: { hd, uhd } }
}

/** The level that the browser has granted; Shaka Player's `drmInfo` names the first that was asked for. */
const grantedLevel = (variants: readonly ShakaVariant[], name: string): string =>
  grantedInfo(variants, name)?.keySystemAccess?.getConfiguration().videoCapabilities?.[0]
    ?.robustness ?? ''

/** Asks for the quality menu only: macOS names outputs without HDCP that have it (WICG/hdcp-detection #14). */
async function hasHdcp(video: HTMLVideoElement, version: string): Promise<boolean | null> {
  try {
    const status = await video.mediaKeys?.getStatusForPolicy({ minHdcpVersion: version })
    return status === undefined ? null : status === 'usable'
  } catch {
    return null
  }
}
