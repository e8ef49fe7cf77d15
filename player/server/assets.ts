import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Router } from 'express'

/** Addresses of what the pages load; each holds the hash of its content and never changes. */
export interface Assets {
  scriptUrl: string
  styleUrl: string
  /** The style of the pages that are not the player. */
  pageStyleUrl: string
  shakaUrl: string
  router: Router
}

/**
 * The browser's half, made when the player starts: our client in one module, its style, and the
 * smallest official build of Shaka Player that plays this (DASH only).
 */
export async function loadAssets(): Promise<Assets> {
  const client = fileURLToPath(new URL('../client/', import.meta.url))
  const [script, style, shaka, pageStyle] = await Promise.all([
    bundle(join(client, 'main.ts')),
    readFile(join(client, 'style.css')),
    readFile(shakaPath()),
    readFile(new URL('pages/style.css', import.meta.url)),
  ])
  const router = Router()
  const serve = (name: string, type: string, body: Uint8Array): string => {
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 16)
    const path = `/assets/${hash}/${name}`
    router.get(path, (_request, response) => {
      response
        .type(type)
        .set({
          'Cache-Control': 'public, max-age=31536000, immutable',
          'Access-Control-Allow-Origin': '*',
        })
        .send(Buffer.from(body))
    })
    return path
  }
  return {
    scriptUrl: serve('player.js', 'text/javascript', script),
    styleUrl: serve('player.css', 'text/css', style),
    pageStyleUrl: serve('page.css', 'text/css', pageStyle),
    shakaUrl: serve('shaka.js', 'text/javascript', shaka),
    router,
  }
}

async function bundle(entry: string): Promise<Uint8Array> {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
  })
  const [file] = result.outputFiles
  if (!file) throw new Error('the player client was not bundled')
  return file.contents
}

function shakaPath(): string {
  const root = dirname(createRequire(import.meta.url).resolve('shaka-player/package.json'))
  return join(root, 'dist', 'shaka-player.dash-es2021.js')
}
