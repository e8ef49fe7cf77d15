import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Router } from 'express'
import type { Language } from '../language.ts'
import { bundleClient } from './bundle-client.ts'
import { compressed } from './compressed.ts'
import { contentHash } from './content-hash.ts'
import { shakaModule } from './shaka-module.ts'

/** Addresses of what the pages load; each holds the hash of its content and never changes. */
export interface Assets {
  scriptUrl: string
  styleUrl: string
  /** The style of the pages that are not the player. */
  pageStyleUrl: string
  shakaUrl: string
  controlsUrl: string
  wordsUrls: Record<Language, string>
  router: Router
}

const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
const FOREVER = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  // A sandboxed frame without an origin loads modules too, and can then say what is wrong.
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** The browser's half, made when the player starts. */
export async function loadAssets(): Promise<Assets> {
  const client = fileURLToPath(new URL('../client/', import.meta.url))
  const [bundle, shaka, style, pageStyle] = await Promise.all([
    bundleClient(client),
    shakaModule(),
    readFile(join(client, 'style.css')),
    readFile(new URL('pages/style.css', import.meta.url)),
  ])
  const router = Router()
  const serve = async (path: string, type: string, body: Uint8Array): Promise<string> => {
    router.get(path, await compressed(body, { ...FOREVER, 'Content-Type': type }))
    return path
  }
  const serveStyle = (name: string, body: Uint8Array): Promise<string> =>
    serve(`/assets/${name}-${contentHash(body)}.css`, 'text/css; charset=utf-8', body)
  // Side by side: each is compressed on a core of its own where there is one.
  const [shakaUrl, styleUrl, pageStyleUrl] = await Promise.all([
    serve(`/assets/shaka-${contentHash(shaka)}.js`, SCRIPT_TYPE, shaka),
    serveStyle('player', style),
    serveStyle('page', pageStyle),
    ...bundle.files.map(({ path, body }) => serve(path, SCRIPT_TYPE, body)),
  ])
  const { mainUrl: scriptUrl, controlsUrl, wordsUrls } = bundle
  return { scriptUrl, shakaUrl, controlsUrl, wordsUrls, styleUrl, pageStyleUrl, router }
}
