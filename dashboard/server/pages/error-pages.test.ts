import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { ErrorCode } from '../../../domain/error-codes.ts'
import { ApiError } from '../../../http/api-error.ts'
import { logRequests } from '../../../processes/request-log.ts'
import { closeServer } from '../../../test/infrastructure/close-server.ts'
import { errorPages } from './error-pages.ts'

const CASES: [code: ErrorCode, status: number, title: string][] = [
  ['route_not_found', 404, 'Page not found'],
  ['invitation_not_found', 404, 'This link cannot be used'],
  ['cross_site_request', 403, 'Please use the address of the dashboard'],
  ['rate_limited', 429, 'Too many requests'],
  ['service_unavailable', 503, 'Please try again in a moment'],
  ['internal_error', 500, 'The service had an error'],
  ['invalid_request', 400, 'The request could not be read'],
]

it('an error page says what happened, with a picture, a code and the request', async () => {
  const logger = pino({ level: 'silent' })
  const files = { styleUrl: '/s.css', signInScriptUrl: '/a.js', welcomeScriptUrl: '/b.js' }
  const app = express().use(logRequests(logger))
  for (const [code] of CASES)
    app.get(`/${code}`, () => {
      throw new ApiError(code)
    })
  app.use(errorPages({ logger, files, dashboardBase: 'https://dashboard.example' }))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const pictures = new Set<string>()
  for (const [code, status, title] of CASES) {
    const response = await fetch(`http://127.0.0.1:${port}/${code}`)
    const html = await response.text()
    expect(response.status).toBe(status)
    expect(html).toContain(`<h1>${title}</h1>`)
    const id = response.headers.get('Request-Id')
    expect(html).toContain(`<bdi>${code}</bdi> · Request <bdi>${id}</bdi>`)
    pictures.add(/<svg class="sign".*?<\/svg>/.exec(html)?.[0] ?? '')
  }
  expect(pictures.size).toBeGreaterThan(5)
  await closeServer(server)
})
