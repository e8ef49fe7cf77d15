import type { ServiceAddresses } from '../service-process.ts'
import type { Integrator } from './integrator.ts'
import { call } from './journey.ts'

interface Token {
  embed_url: string
  iframe_html: string
}

/** Returns a page of the integrator's site that embeds the video with a viewer token. */
export async function embedPage(
  service: ServiceAddresses,
  videoId: string,
): Promise<{ html: string; embedUrl: string }> {
  const path = `/v1/videos/${videoId}/playback-tokens`
  const token = await call<Token>(service, 'POST', path, 201, { viewer_id: 'demo-viewer' })
  const html = `<!doctype html><meta charset="utf-8"><title>Reelgate demo</title>
<body style="max-width:960px;margin:40px auto;font-family:system-ui">
<h1>A page of your site</h1>${token.iframe_html}</body>`
  return { html, embedUrl: token.embed_url }
}

/** Loads the embed page as an iframe would, then its manifest and a segment. Throws unless the segment is encrypted. */
export async function checkEmbed(
  { player }: ServiceAddresses,
  integrator: Integrator,
  embedUrl: string,
): Promise<void> {
  const response = await fetch(embedUrl, { headers: { Referer: `${integrator.baseUrl}/` } })
  const html = await response.text()
  if (response.status !== 200) throw new Error(`the embed answered ${response.status}`)
  const [, json = ''] = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(html) ?? []
  const data = JSON.parse(json) as Record<'session' | 'sessionHeader' | 'manifestUrl', string>
  const manifest = await fetch(player + data.manifestUrl, {
    headers: { [data.sessionHeader]: data.session },
  })
  const [, init] = /initialization="([^"]+)"/.exec(await manifest.text()) ?? []
  if (init === undefined) throw new Error(`the manifest answered ${manifest.status}`)
  const segment = Buffer.from(await (await fetch(init)).arrayBuffer())
  if (!segment.includes('encv') && !segment.includes('enca'))
    throw new Error('a segment is not encrypted')
}
