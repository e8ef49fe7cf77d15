import { embedUrl, iframeHtml } from '../../../../domain/playback/embed-url.ts'

/** The addresses and ids of the account, as `GET /addresses` gives them. */
export interface Addresses {
  account_id: number
  api_url: string
  embed_url: string
}

/** A video of the account that samples show. */
interface SampleVideo {
  id: string
  title: string
}

/** In place of an id, until the account has a video. */
const NO_VIDEO: SampleVideo = { id: 'VIDEO_ID', title: 'Opening night' }

/** The names of the environment variables in samples; the values stay out of them. */
const KEY_VARIABLE = 'REELGATE_API_KEY'

export const setKey = (key: string): string => `export ${KEY_VARIABLE}='${key}'`

/** Asks for the account, which the scope `account:read` allows; a key of other scopes gets its own call. */
export const tryKey = ({ api_url: api }: Addresses, path: string): string =>
  `curl '${api}${path}' \\\n  -H "Authorization: Bearer $${KEY_VARIABLE}"`

export const postByCurl = ({
  api_url: api,
}: Addresses): string => `curl -X POST '${api}/v1/videos' \\
  -H "Authorization: Bearer $${KEY_VARIABLE}" \\
  -H 'Content-Type: application/json' \\
  -d '{"source_url": "https://files.example.com/video.mp4", "title": "Opening night"}'`

export const postBySdk = ({
  api_url: api,
}: Addresses): string => `import { Reelgate } from '@reelgate/sdk'

const reelgate = new Reelgate({
  apiKey: process.env.${KEY_VARIABLE}!,
  baseUrl: '${api}',
})
const { id } = await reelgate.videos.create({
  source_url: 'https://files.example.com/video.mp4',
  title: 'Opening night',
})
const video = await reelgate.videos.waitUntilReady(id)
console.log(video.embed_url)`

/** The iframe of a video, with the account's own address. */
export function embedSample(
  { account_id: accountId, embed_url: base }: Addresses,
  { id, title } = NO_VIDEO,
): string {
  return iframeHtml(embedUrl(base, id, accountId), title)
}

/** A receiver that verifies with the SDK. */
export const VERIFY_BY_SDK = `import express from 'express'
import { verifyWebhook } from '@reelgate/sdk'

const app = express()

app.post('/hooks/video', express.raw({ type: 'application/json' }), async (request, response) => {
  const header = request.get('Service-Signature')
  const secret = process.env.REELGATE_WEBHOOK_SECRET!
  const event = await verifyWebhook(request.body, header, secret).catch(() => null)
  if (!event) return response.sendStatus(400)
  if (event.type === 'video.ready') console.log('ready', event.data.id)
  response.sendStatus(204)
})`

/** The same check with Node's own cryptography. */
export const VERIFY_BY_HAND = `import { createHmac, timingSafeEqual } from 'node:crypto'

function isFromReelgate(rawBody, header, secret) {
  const [, t] = /^t=(\\d+),/.exec(header) ?? []
  if (!t || Math.abs(Date.now() / 1000 - Number(t)) > 300) return false
  const expected = createHmac('sha256', secret).update(\`\${t}.\`).update(rawBody).digest()
  return header
    .split(',')
    .flatMap((entry) => /^v1=([0-9a-f]{64})$/.exec(entry)?.[1] ?? [])
    .some((given) => timingSafeEqual(Buffer.from(given, 'hex'), expected))
}`
