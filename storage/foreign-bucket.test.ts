import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHttpsHost } from '../scripts/local-https/https-host.ts'
import { openForeignBucket } from './foreign-bucket.ts'

const ADDRESS = '127.41.7.9'
const usualAuthorities = getCACertificates('default')
let folder: string
let close: () => Promise<void>
let respond: (request: IncomingMessage, response: ServerResponse) => void

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-foreign-bucket-'))
  const caFile = join(folder, 'ca.pem')
  const handle = (request: IncomingMessage, response: ServerResponse) => respond(request, response)
  close = await openHttpsHost({ hosts: [ADDRESS], address: ADDRESS, port: 8443, caFile, handle })
  setDefaultCACertificates([...usualAuthorities, await readFile(caFile, 'utf8')])
})
afterAll(async () => {
  setDefaultCACertificates(usualAuthorities)
  await close()
  await rm(folder, { recursive: true, force: true })
})

async function listAll(): Promise<void> {
  const place = { endpoint: `https://${ADDRESS}:8443`, region: 'x', name: 'lessons' }
  const access = { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: null }
  for await (const _object of openForeignBucket(place, access).list(''));
}

describe('the list of a bucket that is not ours', () => {
  it('is given up if a page has no end', async () => {
    let sentBytes = 0
    const spaces = Buffer.alloc(1_000_000, ' ')
    respond = (_request, response) => {
      const send = () => {
        while (!response.destroyed && sentBytes < 200_000_000) {
          sentBytes += spaces.length
          if (!response.write(spaces)) return void response.once('drain', send)
        }
        response.end()
      }
      send()
    }
    await expect(listAll()).rejects.toThrow('more than 16000000 bytes')
    expect(sentBytes).toBeLessThan(100_000_000)
  })

  it('is given up if a page leads to itself', async () => {
    let count = 0
    respond = (_request, response) => {
      count += 1
      const next = '<IsTruncated>true</IsTruncated><NextContinuationToken>1</NextContinuationToken>'
      response.end(`<ListBucketResult>${count < 9 ? next : ''}</ListBucketResult>`)
    }
    await expect(listAll()).rejects.toThrow('leads to itself')
    expect(count).toBe(2)
  })
})
