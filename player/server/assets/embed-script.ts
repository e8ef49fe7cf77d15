import { Router } from 'express'
import { paths } from '../paths.ts'
import { bundleEmbedScript } from './bundles.ts'
import { compressed, contentHash } from './compressed.ts'

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
