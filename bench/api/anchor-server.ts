// What the API is measured against: Express with the middleware that any API of its kind has, and
// one indexed SELECT, as the manuals of the packages show it.
import { randomUUID } from 'node:crypto'
import express from 'express'
import helmet from 'helmet'
import pg from 'pg'
import { pino } from 'pino'
import { pinoHttp } from 'pino-http'
import type { Request, Response } from 'express'

const [port = '', databaseUrl = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })

interface Row {
  id: string
  account_id: number
  status: string
  title: string
  description: string
  source_url: string
  created_at: Date
}

const SELECT = `select id, account_id, status, title, description, source_url, created_at
  from video where id = $1`

const app = express()
app.disable('x-powered-by')
app.set('etag', false)
app.use((_request, response, next) => {
  const id = `req_${randomUUID()}`
  response.locals.requestId = id
  response.set('Request-Id', id)
  next()
})
app.use(
  pinoHttp<Request, Response>({
    logger: pino({ name: 'anchor' }),
    genReqId: (_request, response) => response.locals.requestId as string,
    serializers: {
      req: ({ method, url }: { method: string; url: string }) => ({ method, url }),
      res: ({ statusCode }: { statusCode: number }) => ({ status: statusCode }),
    },
  }),
)
app.use(helmet())
app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
app.post('/videos/:id', express.json(), async (request, response) => {
  const { rows } = await pool.query<Row>(SELECT, [request.params.id])
  const [video] = rows
  if (!video) return void response.status(404).json({ error: 'not_found' })
  const { viewer_id: viewerId } = request.body as { viewer_id: string }
  response.status(201).json({ object: 'video', viewer_id: viewerId, ...video })
})
app.listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
