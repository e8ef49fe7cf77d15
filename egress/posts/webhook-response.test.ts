import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  OK,
  onRequest,
  responds,
  setUpHostileReceiverFixture,
} from '../../test/fixtures/hostile-receivers.ts'
import { decodeBody } from './response-text.ts'
import { keptHeaders } from './webhook-response.ts'

const { attack } = setUpHostileReceiverFixture()
const END = 'content-length: 0\r\n\r\n'

describe('the headers of a response', () => {
  it('on the list are recorded with the attempt, by lowercase name', async () => {
    const kept = {
      'content-type': 'text/html; charset=utf-8',
      date: 'Tue, 24 Nov 2026 00:00:00 GMT',
      location: 'https://hooks.test/login?next=%2Fin',
      'retry-after': '30',
      server: 'nginx',
      'x-request-id': 'req_1',
      'cf-ray': '8f0a-FRA',
    }
    const lines = Object.entries(kept).map(([name, value]) => `${name.toUpperCase()}: ${value}\r\n`)
    const attempt = await attack(responds(`HTTP/1.1 503 No\r\n${lines.join('')}${END}`))
    expect(attempt).toMatchObject({ errorCode: 'http_error', responseStatus: 503 })
    expect(attempt.responseHeaders).toEqual(kept)
  })

  it('that may be secrets, and all unknown ones, are never stored', async () => {
    const secret = ['set-cookie', 'authorization', 'proxy-authenticate', 'x-api-key', '__proto__']
    const lines = secret.map((name) => `${name}: sid=hidden\r\n`).join('')
    const attempt = await attack(responds(`${OK}${lines}server: nginx\r\n${END}`))
    expect(attempt.responseHeaders).toEqual({ server: 'nginx' })
  })

  it('are cut at 256 characters, and joined if repeated', async () => {
    const lines = `server: ${'s'.repeat(5000)}\r\nx-request-id: a\r\nx-request-id: b\r\n`
    const attempt = await attack(responds(`${OK}${lines}${END}`))
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

describe('the body of a response is recorded as text', () => {
  const text = 'Überlastet: später nochmal'
  const latin1 = Buffer.from(text, 'latin1')
  const decoded = (bytes: Buffer, encoding = '', type = '') =>
    decodeBody(bytes, { 'content-encoding': encoding, 'content-type': type }, 16_384)

  it('without its content encoding, which is recorded with it', async () => {
    const body = gzipSync(latin1)
    const head = `HTTP/1.1 503 No\r\ncontent-encoding: GZIP\r\ncontent-type: text/plain; charset=ISO-8859-1\r\ncontent-length: ${body.length}\r\n\r\n`
    const attempt = await attack(
      onRequest((socket) => socket.write(Buffer.concat([Buffer.from(head), body]))),
    )
    expect(attempt).toMatchObject({
      errorCode: 'http_error',
      responseBody: text,
      responseEncoding: 'gzip, windows-1252',
      responseHeaders: { 'content-encoding': 'GZIP' },
    })
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('whole or cut, from %s', async (name, compress) => {
    expect(await decoded(compress(text), name)).toEqual({ text, encoding: `${name}, utf-8` })
    const long = Array.from({ length: 20_000 }, (_, n) => (n * 7919) % 100_003).join(text)
    const bomb = compress(long)
    const { text: start } = await decoded(bomb.subarray(0, bomb.length - 10), name)
    expect(start.length).toBeGreaterThan(1000)
    expect(long.startsWith(start)).toBe(true)
    expect(Buffer.byteLength(start)).toBeLessThanOrEqual(16_384)
  })

  it('as it is if it is not encoded as its header says, or by an encoding that is not known', async () => {
    const plain = { text, encoding: 'utf-8' }
    for (const name of ['gzip', 'br', 'compress', 'gzip, br', 'constructor'])
      expect(await decoded(Buffer.from(text), name)).toEqual(plain)
  })

  it('in the charset of its type, else in UTF-8, else in Latin 1', async () => {
    const utf16 = Buffer.from(text, 'utf16le')
    expect(await decoded(utf16, '', 'text/plain;charset="utf-16le"')).toEqual({
      text,
      encoding: 'utf-16le',
    })
    expect(await decoded(Buffer.from(text), '', 'text/html; charset=none')).toEqual({
      text,
      encoding: 'utf-8',
    })
    expect(await decoded(latin1)).toEqual({ text, encoding: 'windows-1252' })
    expect(await decoded(Buffer.from(text).subarray(0, 1))).toMatchObject({ encoding: 'utf-8' })
    expect(await decoded(Buffer.from([0x89, 0x50, 0, 1]))).toEqual({
      text: '\uFFFDP\uFFFD\u0001',
      encoding: 'utf-8',
    })
  })
})
