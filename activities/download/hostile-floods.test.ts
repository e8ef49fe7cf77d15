import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { WEBHOOK_RESPONSE_BODY_MAX_BYTES } from '../../domain/limits.ts'
import {
  GIGABYTE,
  OK,
  onRequest,
  pour,
  setUpHostileReceiverFixture,
  type Poured,
} from '../../test/fixtures/hostile-receivers.ts'

const { attack } = setUpHostileReceiverFixture()

/** More than the socket buffers of both systems hold, and far below a gigabyte. */
const TAKEN_MAX_BYTES = 64 * 1024 * 1024

/** Writes `head` and then `chunk` endlessly. Returns the attempt and the number of received bytes. */
async function flood(head: string, chunk: string | Buffer) {
  let poured: Poured = { bytes: GIGABYTE }
  const attempt = await attack(
    onRequest((socket) => {
      socket.write(head, 'latin1')
      poured = pour(socket, chunk)
    }),
  )
  return { attempt, takenBytes: poured.bytes }
}

const piece = Buffer.alloc(64 * 1024, 'b')
const chunkOfPiece = `${piece.length.toString(16)}\r\n${piece.toString()}\r\n`

describe('a response of a gigabyte is abandoned after its first 16 KiB', () => {
  it.each([
    ['with Content-Length', `content-length: ${GIGABYTE}\r\n\r\n`, piece],
    ['without Content-Length', '\r\n', piece],
    ['in chunks', 'transfer-encoding: chunked\r\n\r\n', chunkOfPiece],
    ['with keep-alive', `connection: keep-alive\r\ncontent-length: ${GIGABYTE}\r\n\r\n`, piece],
  ])('%s', async (_what, head, chunk) => {
    for (const [line, errorCode] of [
      ['HTTP/1.1 200 OK', null],
      ['HTTP/1.1 500 No', 'http_error'],
    ] as const) {
      const { attempt, takenBytes } = await flood(`${line}\r\n${head}`, chunk)
      expect(attempt).toMatchObject({
        errorCode,
        responseBody: 'b'.repeat(WEBHOOK_RESPONSE_BODY_MAX_BYTES),
      })
      expect(takenBytes).toBeLessThan(TAKEN_MAX_BYTES)
    }
  })
})

describe('a compressed response is expanded no further than its recorded part', () => {
  const bomb = Buffer.alloc(50_000_000, 'b')
  it.each([
    ['gzip', gzipSync(bomb, { level: 9 })],
    ['deflate', deflateSync(bomb, { level: 9 })],
    ['br', brotliCompressSync(bomb)],
    ['zstd', zstdCompressSync(bomb)],
  ])('%s', async (encoding, bytes) => {
    const head = `${OK}content-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n\r\n`
    const attempt = await attack(
      onRequest((socket) => {
        socket.write(head)
        socket.write(bytes)
      }),
    )
    expect(attempt).toMatchObject({ errorCode: null, responseStatus: 200 })
    expect(attempt.responseBody).toBe('b'.repeat(WEBHOOK_RESPONSE_BODY_MAX_BYTES))
  })
})

describe('endless data before the response is cut off as protocol_error', () => {
  it.each([
    ['a header', `${OK}x: `, 'a'.repeat(1000)],
    ['a header name', OK, 'a'.repeat(1000)],
    ['many headers', OK, 'x-many: of them\r\n'.repeat(100)],
    ['folded lines of a header', `${OK}x: a\r\n`, ' folded\r\n'.repeat(100)],
    ['a status line', 'HTTP/1.1 200 ', 'OK '.repeat(1000)],
    ['empty lines', '', '\r\n'.repeat(1000)],
    ['103 interim responses', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)],
    ['103 with headers', '', `HTTP/1.1 103 Hints\r\nlink: ${'a'.repeat(8000)}\r\n\r\n`],
    ['102 interim responses', '', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)],
    ['100 interim responses', '', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)],
  ])('%s', async (_what, head, chunk) => {
    const { attempt, takenBytes } = await flood(head, chunk)
    expect(attempt).toMatchObject({
      errorCode: 'protocol_error',
      responseStatus: null,
      responseBody: null,
      remoteIp: '127.0.0.1',
    })
    expect(takenBytes).toBeLessThan(TAKEN_MAX_BYTES)
  })
})

describe('endless data around the body is cut off, and the status decides:', () => {
  it.each([
    ['a chunk extension', '1;', 'a'.repeat(1000)],
    ['chunk extensions', '', '1;a=b\r\nz\r\n1;' + 'c'.repeat(10_000) + '\r\nz\r\n'],
    ['the size of a chunk', '', '0'.repeat(1000)],
    ['a trailer', '0\r\nx: ', 'a'.repeat(1000)],
    ['trailers', '0\r\n', 'x-many: of them\r\n'.repeat(100)],
    ['empty chunk lines', '1\r\na\r\n', '\r\n'.repeat(1000)],
  ])('%s', async (_what, head, chunk) => {
    for (const [status, errorCode] of [
      [200, null],
      [502, 'http_error'],
    ] as const) {
      const start = `HTTP/1.1 ${status} X\r\ntransfer-encoding: chunked\r\n\r\n`
      const { attempt, takenBytes } = await flood(`${start}${head}`, chunk)
      expect(attempt).toMatchObject({ errorCode, responseStatus: status })
      expect(takenBytes).toBeLessThan(TAKEN_MAX_BYTES)
    }
  })
})
