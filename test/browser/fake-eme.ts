import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import type { DrmSystemName } from '../../domain/drm/drm-system.ts'
import { useScript } from './idle-pages.ts'

/** The DRM that a browser pretends to have. */
export interface EmeWorld {
  /** The levels of each system that it has; none for FairPlay, which makes it a Safari. */
  systems: Partial<Record<DrmSystemName, string[]>>
  isWindows: boolean
  deviceId: string
  /** The HDCP version of the output; null without HDCP. */
  hdcp: number | null
}

/** What the page has asked of EME. */
export interface EmeSeen {
  asked: { name: string; video: string; audio: string }[]
  sessions: number
  messages: { system: DrmSystemName; messageType: string; keyIds: string[] }[]
  /** The paths of the playlists that the browser's own player has fetched. */
  playlists: string[]
  certificates: { system: DrmSystemName; bytes: number }[]
}

/** How a test changes the pretended CDM. */
export interface FakeEme {
  seen(): EmeSeen
  /** One of EME's key statuses. */
  setStatus(keyIdHex: string, status: string): void
  /** Ends every licence now. */
  expire(): void
  /** Makes the CDM ask for renewal, as Widevine's does by itself. */
  renew(): void
}

/** Browsers of the tests. */
export const WORLDS = {
  widevineHardware: world({
    widevine: ['HW_SECURE_ALL', 'SW_SECURE_DECODE', 'SW_SECURE_CRYPTO'],
  }),
  widevineSoftware: world({ widevine: ['SW_SECURE_DECODE', 'SW_SECURE_CRYPTO'] }),
  widevineLowest: world({ widevine: ['SW_SECURE_CRYPTO'] }),
  playready: { ...world({ playready: ['3000'] }), isWindows: true },
  fairplay: world({ fairplay: [] }),
  none: world({}),
} satisfies Record<string, EmeWorld>

function world(systems: EmeWorld['systems']): EmeWorld {
  return { systems, isWindows: false, deviceId: 'device-1', hdcp: 2.3 }
}

/** The User-Agent of Edge on Windows. */
export const EDGE =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0'

let script: Promise<string> | null = null

/**
 * Makes the next documents of `page` pretend to have the DRM of `world`, over Chromium's real ClearKey: real
 * decryption of the real video, with the messages of `fake-cdm-format.ts`.
 */
export async function pretendEme(page: Page, world: EmeWorld): Promise<void> {
  script ??= bundle()
  const content = `window.emeWorld = ${JSON.stringify(world)};${await script}`
  await useScript(page, { content })
}

async function bundle(): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('./fake-eme-page.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    logLevel: 'silent',
  })
  const [file] = result.outputFiles
  if (!file) throw new Error('the pretended EME was not bundled')
  return file.text
}
