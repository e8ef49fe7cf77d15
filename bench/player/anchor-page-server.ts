// What the embed page is measured against: an anchor with one indexed SELECT and a page as long as
// ours.
import { SELECT_VIDEO, anchorApp, anchorPool, serveAnchor } from '../anchor-app.ts'

const [port = '', databaseUrl = '', pageBytes = ''] = process.argv.slice(2)
const pool = anchorPool(databaseUrl)

const app = anchorApp()
app.get('/:videoId/:account', async (request, response) => {
  const { rows } = await pool.query<{ title: string }>(SELECT_VIDEO, [request.params.videoId])
  const [video] = rows
  if (!video) return void response.status(404).send('<h1>Not found</h1>')
  const page = `<!doctype html><title>${video.title}</title><h1>${video.title}</h1>`
  response.set('Cache-Control', 'private, no-store').send(page.padEnd(Number(pageBytes)))
})
serveAnchor(app, port)
