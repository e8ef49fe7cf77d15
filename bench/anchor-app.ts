import { randomUUID } from 'node:crypto'
import express from 'express'
import type { Express, RequestHandler } from 'express'
import helmet from 'helmet'
import pg from 'pg'

/** The one look-up of an anchor. */
export const SELECT_VIDEO = `select id, account_id, status, title, description, source_url, created_at
  from video where id = $1`

/** Connections of an anchor, as many as a process of ours has. */
export const anchorPool = (connectionString: string): pg.Pool =>
  new pg.Pool({ connectionString, max: 10 })

/**
 * What our servers are measured against: Express with the middleware that any server of its kind
 * has, and `middleware`, as the manuals of the packages show it.
 */
export function anchorApp(...middleware: RequestHandler[]): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.use((_request, response, next) => {
    const id = `req_${randomUUID()}`
    response.locals.requestId = id
    response.set('Request-Id', id)
    next()
  })
  for (const handler of middleware) app.use(handler)
  app.use(helmet())
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  return app
}

/** Listens on this machine alone, until the process is told to end. */
export function serveAnchor(app: Express, port: string): void {
  app.listen(Number(port), '127.0.0.1')
  process.once('SIGTERM', () => process.exit(0))
}
