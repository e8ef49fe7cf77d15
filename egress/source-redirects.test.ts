import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSourceNetwork, type SourceNetwork } from '../test/fixtures/egress.ts'
import { captureError } from '../test/infrastructure/test-network.ts'
import { until } from '../test/infrastructure/wait-for.ts'

let network: SourceNetwork['network']
let egress: SourceNetwork['egress']
let serve: SourceNetwork['serve']
let inspect: SourceNetwork['inspect']

beforeAll(async () => {
  ;({ network, egress, serve, inspect } = await startSourceNetwork())
})

afterAll(() => network.close())

describe('the redirects of a source', () => {
  /** A server whose path /n redirects n times before it responds. */
  const serveChain = () =>
    serve((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left > 0) response.writeHead(302, { location: `${left - 1}` }).end()
      else response.writeHead(200, { 'content-type': 'video/mp4' }).end()
    })

  it('are followed five times, also relative ones, each over a new connection', async () => {
    const { port, accepted, open } = await serveChain()
    const facts = await inspect(`https://source.test:${port}/5`)
    expect(facts.finalUrl).toBe(`https://source.test:${port}/0`)
    expect(accepted()).toBe(6)
    await until(() => open() === 0)
  })

  it('are too_many_redirects from the sixth on, and in a loop', async () => {
    const { port, accepted, open } = await serveChain()
    const failure = await captureError(inspect(`https://source.test:${port}/6`))
    expect(failure).toMatchObject({ code: 'too_many_redirects' })
    expect(accepted()).toBe(6)
    await until(() => open() === 0)
    const circle = await serve((_request, response) =>
      response.writeHead(301, { location: '?' }).end(),
    )
    expect(await captureError(inspect(circle.url))).toMatchObject({ code: 'too_many_redirects' })
  })

  it.each([
    ['to a name that is a user', 'https://source.test@10.0.0.1/', 'invalid_source_url'],
    ['to a private literal', 'https://10.0.0.1/', 'source_not_allowed'],
    ['to a decimal literal', 'https://2852039166/latest/meta-data', 'source_not_allowed'],
    ['to a mapped literal', 'https://[::ffff:169.254.169.254]/', 'source_not_allowed'],
    ['to a private name', '//private.test/', 'source_not_allowed'],
    ['to localhost over IPv6', 'https://[::1]/', 'source_not_allowed'],
    ['to http', 'http://source.test/a.mp4', 'invalid_source_url'],
    ['to port 80', 'https://source.test:80/a.mp4', 'invalid_source_url'],
    ['to port 22', '//source.test:22/', 'invalid_source_url'],
    ['to a file', 'file:///etc/passwd', 'invalid_source_url'],
    ['to gopher', 'gopher://source.test/', 'invalid_source_url'],
    ['to data', 'data:video/mp4;base64,AAAA', 'invalid_source_url'],
    ['to a user', 'https://user@source.test/', 'invalid_source_url'],
    ['with a backslash', '/\\private.test/', 'invalid_source_url'],
    ['with no slashes', 'https:private.test', 'invalid_source_url'],
    ['to an unknown name', 'https://no-such-name.test/', 'source_unreachable'],
  ])('follow the same rules as the link: %s, %s is %s', async (_what, location, code) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { url, open } = await serve((_request, response) =>
        response.writeHead(status, { location }).end(),
      )
      expect(await captureError(inspect(url))).toMatchObject({ name: 'SourceError', code })
      await until(() => open() === 0)
    }
  })

  it('have a separate lookup each: a name can become private between two hops', async () => {
    const { port } = await serve((_request, response) =>
      response.writeHead(302, { location: `https://turning.test:${port}/` }).end(),
    )
    network.dns.set('turning.test', ['10.0.0.1'])
    const failure = await captureError(inspect(`https://source.test:${port}/`))
    expect(failure).toMatchObject({ code: 'source_not_allowed' })
  })

  it('are refused when the response names two addresses', async () => {
    const server = await network.serveTls(['source.test'], (socket) => {
      socket.write('HTTP/1.1 302 Found\r\nlocation: /a\r\nlocation: /b\r\n\r\n')
    })
    const failure = await captureError(inspect(`https://source.test:${server.port}/`))
    expect(failure).toMatchObject({ code: 'source_unreachable' })
  })

  it('send body and credentials only within one origin', async () => {
    const seen: IncomingMessage[] = []
    const bodies: Promise<string>[] = []
    const target = await serve((request, response) => {
      seen.push(request)
      bodies.push(text(request))
      response.end()
    })
    const { port } = await serve((request, response) => {
      const own = request.url === '/own' ? '/end' : `https://cdn.test:${target.port}/`
      seen.push(request)
      bodies.push(text(request))
      if (request.url === '/end') response.end()
      else response.writeHead(307, { location: own }).end()
    })
    const headers = {
      Authorization: 'Bearer x',
      Cookie: 'a=b',
      'content-type': 'text/plain',
      'x-a': '1',
    }
    const limits = { maxRedirects: 1, deadlineMs: 5000 }
    for (const path of ['own', 'other']) {
      const response = await egress.request({
        ...limits,
        url: `https://source.test:${port}/${path}`,
        method: 'POST',
        headers,
        body: 'body',
      })
      response.body.destroy()
    }
    const credentials = seen.map(({ headers: sent }) => [sent.authorization, sent.cookie])
    expect(credentials[1]).toEqual(['Bearer x', 'a=b'])
    expect(credentials[3]).toEqual([undefined, undefined])
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'GET'])
    expect(seen[3]?.headers).toMatchObject({ 'x-a': '1' })
    expect(seen[3]?.headers).not.toHaveProperty('content-type')
    expect(await Promise.all(bodies)).toEqual(['body', 'body', 'body', ''])
  })
})
