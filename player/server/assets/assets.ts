import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Router } from 'express'
import type { RequestHandler } from 'express'
import type { Language } from '../../language.ts'
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
  router: Router
}

const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
const STYLE_TYPE = 'text/css; charset=utf-8'
const IMMUTABLE = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  // A sandboxed frame has no origin, but needs the modules to show what is wrong.
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** Bundles and compresses the scripts and styles. Runs once, when the player host starts. */
export async function loadAssets(): Promise<Assets> {
  const client = fileURLToPath(new URL('../../client/', import.meta.url))
  const [bundle, shaka, style, pageStyle] = await Promise.all([
    bundleClient(client),
    shakaModule(),
    readFile(join(client, 'style.css')),
    readFile(new URL('../pages/style.css', import.meta.url)),
  ])
  const router = Router()
  const serve = async (path: string, type: string, body: Uint8Array): Promise<string> => {
    router.get(path, await compressed(body, { ...IMMUTABLE, 'Content-Type': type }))
    return path
  }
  // Concurrently, so that zlib can use several cores.
  const [shakaUrl, styleUrl, pageStyleUrl] = await Promise.all([
    serve(paths.asset(`shaka-${contentHash(shaka)}.js`), SCRIPT_TYPE, shaka),
    serve(paths.asset(`player-${contentHash(style)}.css`), STYLE_TYPE, style),
    serve(paths.asset(`page-${contentHash(pageStyle)}.css`), STYLE_TYPE, pageStyle),
    ...bundle.files.map(({ path, body }) => serve(path, SCRIPT_TYPE, body)),
  ])
  const { mainUrl: scriptUrl, controlsUrl, wordsUrls } = bundle
  return { scriptUrl, shakaUrl, controlsUrl, wordsUrls, styleUrl, pageStyleUrl, router }
}

/**
 * GET /embed.js: the script that sites load (docs/embedding.md). Its address never changes, so browsers
 * cache it for an hour and then revalidate it by its hash.
 */
export async function embedScriptRouter(): Promise<Router> {
  const script = await bundleEmbedScript()
  const handler = await compressed(script, {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
    // Weak, because all encodings share it.
    ETag: `W/"${contentHash(script)}"`,
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
  return Router().get(paths.embedScript, handler)
}

/** Compresses almost as well as 11, which takes ten times as long and would delay the start. */
const BROTLI_QUALITY = 9
const GZIP_LEVEL = 9

/** Returns a handler for a static text, compressed once with brotli and gzip. */
async function compressed(
  body: Uint8Array,
  headers: Record<string, string>,
): Promise<RequestHandler> {
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
    promisify(gzip)(body, { level: GZIP_LEVEL }),
  ])
  const bodies = { br, gzip: gz, identity: Buffer.from(body) }
  return (request, response) => {
    const encoding = (['br', 'gzip'] as const).find((name) => request.acceptsEncodings(name))
    response.set({ ...headers, Vary: 'Accept-Encoding' })
    if (encoding) response.set('Content-Encoding', encoding)
    response.send(bodies[encoding ?? 'identity'])
  }
}

/** Returns 16 hex characters that identify a content in an address, an ETag or a storage key. */
export const contentHash = (body: Uint8Array): string =>
  createHash('sha256').update(body).digest('hex').slice(0, 16)
