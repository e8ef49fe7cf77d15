import { describe, expect, it } from 'vitest'
import { answers, OK, setUpHostileReceiverFixture } from '../test/fixtures/hostile-receivers.ts'
import { keptHeaders } from './webhook-response.ts'

const { attack } = setUpHostileReceiverFixture()
const END = 'content-length: 0\r\n\r\n'

describe('the headers of a response', () => {
  it('on the list are recorded with the attempt, by lowercase name', async () => {
    const kept = {
      'content-type': 'text/html; charset=utf-8',
      date: 'Tue, 24 Nov 2026 00:00:00 GMT',
      location: 'https://hooks.test/login?next=%2Fin',
      'retry-after': '120',
      server: 'nginx',
      'x-request-id': 'req_1',
      'cf-ray': '8f0a-FRA',
    }
    const lines = Object.entries(kept).map(([name, value]) => `${name.toUpperCase()}: ${value}\r\n`)
    const attempt = await attack(answers(`HTTP/1.1 503 No\r\n${lines.join('')}${END}`))
    expect(attempt).toMatchObject({ errorCode: 'http_error', responseStatus: 503 })
    expect(attempt.responseHeaders).toEqual(kept)
  })

  it('that may be secrets, and all unknown ones, are never stored', async () => {
    const secret = ['set-cookie', 'authorization', 'proxy-authenticate', 'x-api-key', '__proto__']
    const lines = secret.map((name) => `${name}: sid=hidden\r\n`).join('')
    const attempt = await attack(answers(`${OK}${lines}server: nginx\r\n${END}`))
    expect(attempt.responseHeaders).toEqual({ server: 'nginx' })
  })

  it('are cut at 256 characters, and joined if repeated', async () => {
    const lines = `server: ${'s'.repeat(5000)}\r\nx-request-id: a\r\nx-request-id: b\r\n`
    const attempt = await attack(answers(`${OK}${lines}${END}`))
    expect(attempt.responseHeaders).toEqual({
      server: 's'.repeat(256),
      'x-request-id': 'a, b',
    })
  })

  it('are storable regardless of their bytes', async () => {
    const bytes = `${OK}server: \xff\xfe\t\\u0000 "' ? $1 é\r\n${END}`
    const attempt = await attack((socket) => void socket.write(bytes, 'latin1'))
    expect(attempt.responseHeaders).toEqual({ server: 'ÿþ\uFFFD\\u0000 "\' ? $1 é' })
    expect(keptHeaders({ server: `a\0b\ud800${'c'.repeat(300)}` })).toEqual({
      server: `a\uFFFDb\uFFFD${'c'.repeat(252)}`,
    })
  })
})
