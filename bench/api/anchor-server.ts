// What the API is measured against: an anchor that logs each request, with one indexed SELECT.
import express from 'express'
import { pino } from 'pino'
import { pinoHttp } from 'pino-http'
import type { Request, Response } from 'express'
import { SELECT_VIDEO, anchorApp, anchorPool, serveAnchor } from '../anchor-app.ts'

const [port = '', databaseUrl = ''] = process.argv.slice(2)
const pool = anchorPool(databaseUrl)

interface Row {
  id: string
  account_id: number
  status: string
  title: string
  description: string
  source_url: string
  created_at: Date
}

const app = anchorApp(
  pinoHttp<Request, Response>({
    logger: pino({ name: 'anchor' }),
    genReqId: (_request, response) => response.locals.requestId as string,
    serializers: {
      req: ({ method, url }: { method: string; url: string }) => ({ method, url }),
      res: ({ statusCode }: { statusCode: number }) => ({ status: statusCode }),
    },
  }),
)
app.post('/videos/:id', express.json(), async (request, response) => {
  const { rows } = await pool.query<Row>(SELECT_VIDEO, [request.params.id])
  const [video] = rows
  if (!video) return void response.status(404).json({ error: 'not_found' })
  const { viewer_id: viewerId } = request.body as { viewer_id: string }
  response.status(201).json({ object: 'video', viewer_id: viewerId, ...video })
})
serveAnchor(app, port)
