// What the embed page is measured against: Express with the middleware of the player host, one
// indexed SELECT, and a page as long as ours, as the manuals of the packages show it.
import { randomUUID } from 'node:crypto'
import express from 'express'
import helmet from 'helmet'
import pg from 'pg'

const [port = '', databaseUrl = '', pageBytes = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })

const SELECT = `select id, account_id, status, title, description, source_url, created_at
  from video where id = $1`

const app = express()
app.disable('x-powered-by')
app.set('etag', false)
app.use((_request, response, next) => {
  response.set('Request-Id', `req_${randomUUID()}`)
  next()
})
app.use(helmet())
app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
app.get('/:videoId/:account', async (request, response) => {
  const { rows } = await pool.query<{ title: string }>(SELECT, [request.params.videoId])
  const [video] = rows
  if (!video) return void response.status(404).send('<h1>Not found</h1>')
  const page = `<!doctype html><title>${video.title}</title><h1>${video.title}</h1>`
  response.set('Cache-Control', 'private, no-store').send(page.padEnd(Number(pageBytes)))
})
app.listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
