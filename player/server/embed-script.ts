import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Router } from 'express'
import { BROWSER_BUILD } from './browser-build.ts'
import { compressed } from './compressed.ts'
import { contentHash } from './content-hash.ts'

/**
 * GET /embed.js: the script that the owners of sites load (docs/embedding.md). Its address never
 * changes, so it is kept for an hour and then asked for again by its hash.
 */
export async function embedScriptRouter(): Promise<Router> {
  const script = await bundle()
  const answer = await compressed(script, {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
    // Weak: one for every encoding of the script.
    ETag: `W/"${contentHash(script)}"`,
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
  return Router().get('/embed.js', answer)
}

/** One file that is a classic script and a module alike. */
async function bundle(): Promise<Buffer> {
  const result = await build({
    ...BROWSER_BUILD,
    entryPoints: [fileURLToPath(new URL('../embed-script/main.ts', import.meta.url))],
    format: 'iife',
  })
  const [file] = result.outputFiles
  if (!file) throw new Error('the script for sites was not bundled')
  return Buffer.from(file.contents)
}
