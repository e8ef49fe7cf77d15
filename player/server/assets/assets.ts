import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Router } from 'express'
import type { Language } from '../../../domain/language.ts'
import {
  IMMUTABLE,
  SCRIPT_TYPE,
  STYLE_TYPE,
  compressed,
  contentHash,
  pageStyle,
} from '../../../pages/static-files.ts'
import { paths } from '../paths.ts'
import { bundleClient, bundleEmbedScript, shakaModule } from './bundles.ts'

/** Addresses of the scripts and styles. Each contains the hash of its content and never changes. */
export interface Assets {
  scriptUrl: string
  styleUrl: string
  /** Style of all pages except the player. */
  pageStyleUrl: string
  shakaUrl: string
  controlsUrl: string
  wordsUrls: Record<Language, string>
  /** For pages of Multi-DRM videos only. */
  drmUrl: string
  drmWordsUrls: Record<Language, string>
  router: Router
}

const HEADERS = {
  ...IMMUTABLE,
  // A sandboxed frame has no origin, but needs the modules to show what is wrong.
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** Bundles and compresses the scripts and styles. Runs once, when the player host starts. */
export async function loadAssets(): Promise<Assets> {
  const client = fileURLToPath(new URL('../../client/', import.meta.url))
  const [bundle, shaka, style, messageStyle] = await Promise.all([
    bundleClient(client),
    shakaModule(),
    readFile(join(client, 'style.css')),
    pageStyle(new URL('../pages/style.css', import.meta.url)),
  ])
  const router = Router()
  const serve = async (path: string, type: string, body: Uint8Array): Promise<string> => {
    router.get(path, await compressed(body, { ...HEADERS, 'Content-Type': type }))
    return path
  }
  // Concurrently, so that zlib can use several cores.
  const [shakaUrl, styleUrl, pageStyleUrl] = await Promise.all([
    serve(paths.asset(`shaka-${contentHash(shaka)}.js`), SCRIPT_TYPE, shaka),
    serve(paths.asset(`player-${contentHash(style)}.css`), STYLE_TYPE, style),
    serve(paths.asset(`page-${contentHash(messageStyle)}.css`), STYLE_TYPE, messageStyle),
    ...bundle.files.map(({ path, body }) => serve(path, SCRIPT_TYPE, body)),
  ])
  const { mainUrl: scriptUrl, controlsUrl, wordsUrls, drmUrl, drmWordsUrls } = bundle
  const own = { scriptUrl, controlsUrl, wordsUrls, drmUrl, drmWordsUrls }
  return { ...own, shakaUrl, styleUrl, pageStyleUrl, router }
}

/**
 * GET /embed.js: the script that sites load (docs/embedding.md). Its address never changes, so browsers
 * cache it for an hour and then revalidate it by its hash.
 */
export async function embedScriptRouter(): Promise<Router> {
  const script = await bundleEmbedScript()
  const handler = await compressed(script, {
    'Content-Type': SCRIPT_TYPE,
    'Cache-Control': 'public, max-age=3600',
    // Weak, because all encodings share it.
    ETag: `W/"${contentHash(script)}"`,
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
  return Router().get(paths.embedScript, handler)
}
