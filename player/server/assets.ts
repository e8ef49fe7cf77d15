import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Router } from 'express'
import type { Language } from '../language.ts'
import { bundleClient } from './bundle-client.ts'
import { compressed } from './compressed.ts'
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
    serve(`/assets/${name}-${hashOf(body)}.css`, 'text/css; charset=utf-8', body)
  for (const { path, body } of bundle.files) await serve(path, SCRIPT_TYPE, body)
  return {
    scriptUrl: bundle.mainUrl,
    shakaUrl: await serve(`/assets/shaka-${hashOf(shaka)}.js`, SCRIPT_TYPE, shaka),
    controlsUrl: bundle.controlsUrl,
    wordsUrls: bundle.wordsUrls,
    styleUrl: await serveStyle('player', style),
    pageStyleUrl: await serveStyle('page', pageStyle),
    router,
  }
}

const hashOf = (body: Uint8Array): string =>
  createHash('sha256').update(body).digest('hex').slice(0, 16)
