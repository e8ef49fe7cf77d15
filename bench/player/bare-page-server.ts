// The anchor of the first frame: a page with only a video element and Shaka Player, on a static server
// with the same encrypted segments and with files for the manifest and the licence.
import { join } from 'node:path'
import express from 'express'
import { shakaBuild } from '../../player/server/assets/bundles.ts'

/** `folder` contains manifest.mpd and licence.json, `objects` the stored files. */
const [port = '', folder = '', objects = '', videoId = ''] = process.argv.slice(2)
const shaka = await shakaBuild()

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Bare</title></head>
<body>
<video autoplay muted playsinline></video>
<script src="/shaka.js"></script>
<script>
  shaka.polyfill.installAll()
  const player = new shaka.Player()
  player.attach(document.querySelector('video')).then(() => {
    player.configure({ drm: { servers: { 'org.w3.clearkey': '/licence' } } })
    return player.load('/media/${videoId}/manifest.mpd')
  })
</script>
</body>
</html>
`

const app = express()
app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
app.get('/', (_request, response) => void response.type('html').send(PAGE))
app.get('/shaka.js', (_request, response) => void response.type('text/javascript').send(shaka))
app.post('/licence', (_request, response) => response.sendFile(join(folder, 'licence.json')))
app.get('/media/:id/manifest.mpd', (_request, response) =>
  response.sendFile(join(folder, 'manifest.mpd')),
)
app.use('/media', express.static(join(objects, 'videos')))
app.listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
