import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Router } from 'express'

/**
 * GET /embed.js: the script that the owners of sites load (docs/embedding.md). Its address never
 * changes, so it is kept for an hour and then asked for again by its hash.
 */
export async function embedScriptRouter(): Promise<Router> {
  const script = await bundle()
  const etag = `"${createHash('sha256').update(script).digest('hex').slice(0, 16)}"`
  const router = Router()
  router.get('/embed.js', (_request, response) => {
    response
      .type('text/javascript')
      .set({
        'Cache-Control': 'public, max-age=3600',
        ETag: etag,
        'Access-Control-Allow-Origin': '*',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
      .send(script)
  })
  return router
}

/** One file that is a classic script and a module alike. */
async function bundle(): Promise<Buffer> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('../embed-script/main.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
  })
  const [file] = result.outputFiles
  if (!file) throw new Error('the script for sites was not bundled')
  return Buffer.from(file.contents)
}
