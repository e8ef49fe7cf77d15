// The anchor of the API and of the embed page: Express with the usual middleware, as the manuals of
// the packages show it, and one indexed SELECT for each request. Arguments: port, database URL, and
// either `api` or `page` with the number of bytes of the page.
import { randomUUID } from 'node:crypto'
import express, { type Express, type Request, type Response } from 'express'
import helmet from 'helmet'
import pg from 'pg'
import { pino } from 'pino'
import { pinoHttp } from 'pino-http'

const SELECT_VIDEO = `select id, account_id, status, title, description, source_url, created_at
  from video where id = $1`

interface VideoRow {
  id: string
  account_id: number
  status: string
  title: string
  description: string
  source_url: string
  created_at: Date
}

const [port = '', databaseUrl = '', kind = '', pageBytes = ''] = process.argv.slice(2)
// As many connections as a process of the service has.
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })

const app = express()
app.disable('x-powered-by')
app.set('etag', false)
app.use((_request, response, next) => {
  const id = `req_${randomUUID()}`
  response.locals.requestId = id
  response.set('Request-Id', id)
  next()
})
if (kind === 'api') serveApi(app)
else servePages(app)
app.listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))

/** Logs each request, like the API. */
function serveApi(server: Express): void {
  server.use(
    pinoHttp<Request, Response>({
      logger: pino({ name: 'anchor' }),
      genReqId: (_request, response) => response.locals.requestId as string,
      serializers: {
        req: ({ method, url }: { method: string; url: string }) => ({ method, url }),
        res: ({ statusCode }: { statusCode: number }) => ({ status: statusCode }),
      },
    }),
  )
  useCommon(server)
  server.post('/videos/:id', express.json(), async (request, response) => {
    const { rows } = await pool.query<VideoRow>(SELECT_VIDEO, [request.params.id])
    const [video] = rows
    if (!video) return void response.status(404).json({ error: 'not_found' })
    const { viewer_id: viewerId } = request.body as { viewer_id: string }
    response.status(201).json({ object: 'video', viewer_id: viewerId, ...video })
  })
}

function servePages(server: Express): void {
  useCommon(server)
  server.get('/:videoId/:account', async (request, response) => {
    const { rows } = await pool.query<VideoRow>(SELECT_VIDEO, [request.params.videoId])
    const [video] = rows
    if (!video) return void response.status(404).send('<h1>Not found</h1>')
    const page = `<!doctype html><title>${video.title}</title><h1>${video.title}</h1>`
    response.set('Cache-Control', 'private, no-store').send(page.padEnd(Number(pageBytes)))
  })
}

function useCommon(server: Express): void {
  server.use(helmet())
  server.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
}
