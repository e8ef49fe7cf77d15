import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Router } from 'express'
import type { Language } from '../../../domain/language.ts'
import { pageStyle } from '../../../http/pages/page-style.ts'
import {
  compress,
  contentHash,
  IMMUTABLE,
  SCRIPT_TYPE,
  sendEncoded,
  STYLE_TYPE,
  type EncodedText,
} from '../../../http/pages/static-files.ts'
import { paths } from '../paths.ts'
import { bundleClient, bundleEmbedScript, bundleStyle, shakaModule } from './bundles.ts'

/** Addresses of the scripts and styles. Each contains the hash of its content and never changes. */
export interface Assets {
  scriptUrl: string
  styleUrl: string
  /** Style of all pages except the player. */
  pageStyleUrl: string
  shakaUrl: string
  /** The module of the controls, then those that it imports. */
  controlsUrls: string[]
  wordsUrls: Record<Language, string>
  /** For pages of Multi-DRM videos only. */
  drmUrl: string
  drmWordsUrls: Record<Language, string>
  /** For pages of videos that are being prepared only. */
  preparingUrl: string
  /** For the pages that say why a video does not play. */
  copyDetailsUrl: string
}

/** The scripts and styles, bundled and compressed. */
export interface PreparedAssets {
  urls: Assets
  files: { path: string; type: string; text: EncodedText }[]
  embedScript: EmbedScript
}

/** The script that sites load. */
export interface EmbedScript {
  hash: string
  text: EncodedText
}

const HEADERS = {
  ...IMMUTABLE,
  // A sandboxed frame has no origin, but needs the modules to show what is wrong.
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** Bundles and compresses the scripts and styles. Runs once, when the player host starts. */
export async function prepareAssets(): Promise<PreparedAssets> {
  const client = fileURLToPath(new URL('../../client/', import.meta.url))
  const [bundle, shaka, style, messageStyle, embedScript] = await Promise.all([
    bundleClient(client),
    shakaModule(),
    bundleStyle(join(client, 'style/player.css')),
    pageStyle(new URL('../pages/style.css', import.meta.url)),
    prepareEmbedScript(),
  ])
  const shakaUrl = paths.asset(`shaka-${contentHash(shaka)}.js`)
  const styleUrl = paths.asset(`player-${contentHash(style)}.css`)
  const pageStyleUrl = paths.asset(`page-${contentHash(messageStyle)}.css`)
  const prepare = async (path: string, type: string, body: Uint8Array) => ({
    path,
    type,
    text: await compress(body),
  })
  // Concurrently, so that zlib can use several cores.
  const files = await Promise.all([
    prepare(shakaUrl, SCRIPT_TYPE, shaka),
    prepare(styleUrl, STYLE_TYPE, style),
    prepare(pageStyleUrl, STYLE_TYPE, messageStyle),
    ...bundle.files.map(({ path, body }) => prepare(path, SCRIPT_TYPE, body)),
  ])
  const { mainUrl: scriptUrl, files: _, ...urls } = bundle
  return { urls: { ...urls, scriptUrl, shakaUrl, styleUrl, pageStyleUrl }, files, embedScript }
}

/** Returns a router with the scripts and styles. */
export function assetRouter({ files }: PreparedAssets): Router {
  const router = Router()
  for (const { path, type, text } of files)
    router.get(path, sendEncoded(text, { ...HEADERS, 'Content-Type': type }))
  return router
}

/** Bundles and compresses the script for sites. */
export async function prepareEmbedScript(): Promise<EmbedScript> {
  const script = await bundleEmbedScript()
  return { hash: contentHash(script), text: await compress(script) }
}

/**
 * GET /embed.js: the script that sites load (docs/embedding.md). Its address never changes, so browsers
 * cache it for an hour and then revalidate it by its hash.
 */
export function embedScriptRouter({ hash, text }: EmbedScript): Router {
  const handler = sendEncoded(text, {
    'Content-Type': SCRIPT_TYPE,
    'Cache-Control': 'public, max-age=3600',
    // Weak, because all encodings share it.
    ETag: `W/"${hash}"`,
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
  return Router().get(paths.embedScript, handler)
}
