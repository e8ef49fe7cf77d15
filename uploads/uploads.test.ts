import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import { MockActivityEnvironment } from '@temporalio/testing'
import { describe, expect, it } from 'vitest'
import { endUploads } from '../activities/upkeep/end-uploads.ts'
import { readSums } from '../db/accounts/account-sums.ts'
import { Video } from '../db/entities/video.ts'
import { SourceWriteLostError } from '../db/ingest/source-writes.ts'
import { findEndedUploads, findUpload } from '../db/uploads/uploads.ts'
import { sourcePrefix } from '../domain/videos/media-paths.ts'
import { discardUpload } from '../sources/discard-upload.ts'
import { setUpApiFixture, type ApiFixture } from '../test/fixtures/api.ts'
import { runActivity } from '../test/fixtures/ingest.ts'
import { readSource } from '../test/fixtures/stored-source.ts'
import { receiveUpload } from './receive-upload.ts'

const MIB = 1 << 20
const PART = 16 * MIB

const t = setUpApiFixture()

interface Made {
  id: number
  url: string
}

/** Creates an upload. */
async function make(body: object, call: Parameters<ApiFixture['call']>[2] = {}): Promise<Made> {
  const { status, json } = await t.call('POST', '/v1/uploads', {
    body: { filename: 'Lesson 1.mp4', ...body },
    ...call,
  })
  expect([status, json.error]).toEqual([201, undefined])
  return { id: Number(json.id), url: String(json.upload_url) }
}

const tus = { 'Tus-Resumable': '1.0.0' }

const patch = (url: string, offset: number, body: Buffer, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'PATCH',
    headers: {
      ...tus,
      'Upload-Offset': String(offset),
      'Content-Type': 'application/offset+octet-stream',
      ...headers,
    },
    body: new Uint8Array(body),
  })

async function offsetOf(url: string): Promise<number> {
  const response = await fetch(url, { method: 'HEAD', headers: tus })
  expect(response.status).toBe(200)
  return Number(response.headers.get('Upload-Offset'))
}

const get = async (id: number) => (await t.call('GET', `/v1/uploads/${id}`)).json

async function storedKeys(prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of t.storage.list(prefix)) keys.push(key)
  return keys
}

const reservedBytes = async () => (await readSums(t.db.em.fork(), t.ours.id)).reservedBytes

async function videoIdOf(id: number): Promise<string> {
  const [row] = await t.db.em
    .fork()
    .execute<{ id: string }[]>('select video_id as id from upload where id = ?', [id])
  return row?.id ?? ''
}

describe('an upload', () => {
  it('becomes a queued video with its last byte, whose source is the file', async () => {
    const file = randomBytes(PART + 2 * MIB + 77)
    const { id, url } = await make({ size_bytes: file.length, title: 'One' })
    expect(await get(id)).toMatchObject({ status: 'waiting', offset_bytes: 0, video_id: null })
    for (let at = 0; at < file.length; at += 5 * MIB) {
      expect(await offsetOf(url)).toBe(at)
      const response = await patch(url, at, file.subarray(at, at + 5 * MIB))
      expect([response.status, await response.text()]).toEqual([204, ''])
    }
    const ended = await get(id)
    expect(ended).toMatchObject({ status: 'complete', offset_bytes: file.length, upload_url: null })
    const videoId = String(ended.video_id)
    const { json } = await t.call('GET', `/v1/videos/${videoId}`)
    expect(json).toMatchObject({ status: 'queued', title: 'One' })
    expect((await readSource(t, videoId)).equals(file)).toBe(true)
    expect(await storedKeys(sourcePrefix(videoId))).toEqual([`sources/${videoId}/source`])
    const [request] = await t.db.em
      .fork()
      .execute('select command from outbox where subject_id = ?', [videoId])
    expect(request).toEqual({ command: 'ingest-video' })
    // A client whose last response was lost.
    expect(await offsetOf(url)).toBe(file.length)
    expect((await patch(url, file.length, Buffer.alloc(0))).status).toBe(204)
    expect((await patch(url, 0, file.subarray(0, 5))).status).toBe(409)
    const repeated = await fetch(url, { method: 'PUT', body: new Uint8Array(5) })
    expect([repeated.status, await repeated.json()]).toMatchObject([201, { video_id: videoId }])
    expect((await fetch(url, { method: 'DELETE', headers: tus })).status).toBe(409)
  })

  it('is stored once if its requests end with a part', async () => {
    const file = randomBytes(2 * PART)
    const { id, url } = await make({ size_bytes: file.length })
    expect((await patch(url, 0, file.subarray(0, PART))).status).toBe(204)
    expect(await offsetOf(url)).toBe(PART)
    // The part grows where lists do not show it; a tail would be an object.
    expect(await storedKeys(sourcePrefix(await videoIdOf(id)))).toEqual([])
    expect((await patch(url, PART, file.subarray(PART))).status).toBe(204)
    const { video_id: videoId } = await get(id)
    expect((await readSource(t, String(videoId))).equals(file)).toBe(true)
  })

  it('is sent in one PUT, by its parts or from where it was cut, as curl does', async () => {
    const file = randomBytes(3 * MIB)
    const { id, url } = await make({ size_bytes: null })
    const first = await fetch(url, {
      method: 'PUT',
      headers: { 'Content-Range': `bytes 0-${MIB - 1}/${file.length}` },
      body: new Uint8Array(file.subarray(0, MIB)),
    })
    expect([first.status, await first.json()]).toEqual([
      200,
      { object: 'upload_progress', offset_bytes: MIB, video_id: null },
    ])
    const rest = await fetch(url, {
      method: 'PUT',
      headers: { 'Content-Range': `bytes ${MIB}-${file.length - 1}/${file.length}` },
      body: new Uint8Array(file.subarray(MIB)),
    })
    const { video_id: videoId } = (await rest.json()) as { video_id: string }
    expect(rest.status).toBe(201)
    expect((await readSource(t, videoId)).equals(file)).toBe(true)
    expect(await get(id)).toMatchObject({ status: 'complete', size_bytes: file.length })
  })

  it('does not expire while the bytes of one request arrive', async () => {
    const file = randomBytes(3 * MIB)
    const { id } = await make({ size_bytes: file.length, expires_in_seconds: 60 })
    const upload = await findUpload(t.db.em.fork(), t.ours.id, id)
    if (!upload) throw new Error('the upload is gone')
    const execute = <T>(sql: string) => t.db.em.fork().execute<T[]>(sql, [id])
    const leftSeconds: number[] = []
    async function* arriving(): AsyncGenerator<Buffer> {
      for (let at = 0; at < file.length; at += MIB) {
        await execute(`update upload set received_at = now() - interval '50 s' where id = ?`)
        yield Buffer.from(file.subarray(at, at + MIB))
        const [row] = await execute<{ left: number }>(
          'select extract(epoch from received_at + 60 * interval \'1 s\' - now())::float8 as "left" from upload where id = ?',
        )
        leftSeconds.push(row?.left ?? 0)
      }
    }
    const bytes = { body: arriving(), startByte: 0, sizeBytes: null, bodyBytes: null }
    const noted = { ...bytes, notedEveryMs: 0 }
    expect(await receiveUpload({ ...t, hasDrmProvider: false }, upload, noted)).toBe(file.length)
    expect(Math.min(...leftSeconds)).toBeGreaterThan(30)
  })

  it('is sent in one PUT without a length, whose end is that of the file', async () => {
    const file = randomBytes(MIB + 3)
    const { id, url } = await make({ size_bytes: null })
    const response = await fetch(url, {
      method: 'PUT',
      body: new Blob([new Uint8Array(file)]).stream(),
      duplex: 'half',
    } as RequestInit)
    const { video_id: videoId } = (await response.json()) as { video_id: string }
    expect(response.status).toBe(201)
    expect((await readSource(t, videoId)).equals(file)).toBe(true)
    expect(await get(id)).toMatchObject({ status: 'complete', size_bytes: file.length })
  })

  it('counts all bytes that arrived before a connection broke', async () => {
    const file = randomBytes(2 * MIB)
    const { url } = await make({ size_bytes: file.length })
    const request = httpRequest(url, {
      method: 'PATCH',
      headers: {
        ...tus,
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
        'Content-Length': String(file.length),
      },
    })
    request.on('error', () => {})
    await new Promise<void>((resolve) => request.write(file.subarray(0, MIB + 5), () => resolve()))
    // The bytes are in the kernel of this machine; a FIN follows them.
    request.socket?.end()
    await expect.poll(() => offsetOf(url), { timeout: 20_000 }).toBe(MIB + 5)
    expect((await patch(url, MIB + 5, file.subarray(MIB + 5))).status).toBe(204)
  })

  it('refuses bytes that do not follow, and stores nothing of them', async () => {
    const { url } = await make({ size_bytes: 100 })
    const wrong = await patch(url, 7, randomBytes(10))
    expect([
      wrong.status,
      ((await wrong.json()) as { error: { code: string } }).error.code,
    ]).toEqual([409, 'upload_offset_mismatch'])
    expect(await offsetOf(url)).toBe(0)
    expect((await patch(url, 0, randomBytes(101))).status).toBe(413)
    expect(await offsetOf(url)).toBe(0)
  })

  it('compares the checksum of a request, and stores nothing of a wrong one', async () => {
    const file = randomBytes(1000)
    const { url } = await make({ size_bytes: file.length })
    const checksum = (body: Buffer) => ({
      'Upload-Checksum': `sha256 ${createHash('sha256').update(body).digest('base64')}`,
    })
    expect((await patch(url, 0, file, checksum(randomBytes(9)))).status).toBe(460)
    expect(await offsetOf(url)).toBe(0)
    expect(
      (await patch(url, 0, file.subarray(0, 500), checksum(file.subarray(0, 500)))).status,
    ).toBe(204)
    expect(await offsetOf(url)).toBe(500)
  })

  it('is held in memory once for a checksum, however many requests of its address do not end', async () => {
    const { url } = await make({ size_bytes: PART })
    const wrong = async () =>
      (await patch(url, 0, randomBytes(100_000), { 'Upload-Checksum': 'sha256 wrong' })).status
    const open = httpRequest(url, {
      method: 'PATCH',
      headers: {
        ...tus,
        Expect: '100-continue',
        'Upload-Checksum': 'sha256 x',
        'Content-Length': String(PART),
      },
    })
    open.on('error', () => {})
    open.flushHeaders()
    await once(open, 'continue')
    expect(await wrong()).toBe(429)
    open.destroy()
    await expect.poll(wrong, { timeout: 10_000 }).toBe(460)
  })

  it('has one writer: who comes later continues, and the one before stores nothing more', async () => {
    const file = randomBytes(2 * MIB)
    const { id, url } = await make({ size_bytes: file.length })
    const results = await Promise.all([patch(url, 0, file), patch(url, 0, file)])
    const statuses = results.map(({ status }) => status)
    // The one that lost may also have found the upload complete.
    expect(statuses.filter((status) => status === 204).length).toBe(1)
    for (const status of statuses) expect([204, 409]).toContain(status)
    const { video_id: videoId } = await get(id)
    expect((await readSource(t, String(videoId))).equals(file)).toBe(true)
  })
})

describe('the storage of uploads', () => {
  it('is reserved at once, and given back after a cancellation that removes all of it', async () => {
    const before = await reservedBytes()
    const { id, url } = await make({ size_bytes: 20 * MIB })
    expect(await reservedBytes()).toBe(before + 20 * MIB)
    await patch(url, 0, randomBytes(17 * MIB))
    const videoId = await videoIdOf(id)
    expect((await t.call('DELETE', `/v1/uploads/${id}`)).json).toMatchObject({
      status: 'cancelled',
    })
    expect((await patch(url, 17 * MIB, randomBytes(MIB))).status).toBe(404)
    expect((await t.call('DELETE', `/v1/uploads/${id}`)).code).toBe('upload_ended')
    for (const upload of await findEndedUploads(t.db.em.fork(), 10)) await discardUpload(t, upload)
    expect(await storedKeys(sourcePrefix(videoId))).toEqual([])
    expect(await reservedBytes()).toBe(before)
  })

  it.each([
    ['a piece of it', 2 * MIB, '/tails/'],
    ['all of it', MIB, '/source'],
  ])(
    'has nothing that was on its way when a cancelled upload was removed: %s',
    async (_what, sizeBytes, place) => {
      const { id } = await make({ size_bytes: sizeBytes })
      const upload = await findUpload(t.db.em.fork(), t.ours.id, id)
      if (!upload) throw new Error('the upload is gone')
      const cancelledMeanwhile = Object.assign(Object.create(t.storage) as typeof t.storage, {
        putBuffer: async (...given: Parameters<typeof t.storage.putBuffer>) => {
          if (given[0].includes(place)) await t.call('DELETE', `/v1/uploads/${id}`)
          for (const one of await findEndedUploads(t.db.em.fork(), 10)) await discardUpload(t, one)
          await t.storage.putBuffer(...given)
        },
      })
      const deps = { ...t, storage: cancelledMeanwhile, hasDrmProvider: false }
      const body = Readable.from([randomBytes(MIB)])
      const arriving = { body, startByte: 0, sizeBytes: null, bodyBytes: MIB }
      await expect(receiveUpload(deps, upload, arriving)).rejects.toThrow(SourceWriteLostError)
      expect(await storedKeys(sourcePrefix(upload.videoId))).toEqual([])
    },
  )

  it('is refused beyond the plan, also while a file of unknown size grows', async () => {
    const account = await t.makeAccount()
    await t.db.em
      .fork()
      .execute('update plan set storage_limit_bytes = ? where account_id = ?', [MIB, account.id])
    const tooLarge = await t.call('POST', '/v1/uploads', {
      key: account.key,
      body: { filename: 'a.mp4', size_bytes: MIB + 1 },
    })
    expect([tooLarge.status, tooLarge.code]).toEqual([422, 'insufficient_storage'])
    const { url } = await make({ size_bytes: null }, { key: account.key })
    const response = await patch(url, 0, randomBytes(3 * MIB))
    expect(((await response.json()) as { error: { code: string } }).error.code).toBe(
      'insufficient_storage',
    )
  })

  it('stays reserved for what is stored, whatever size a client names afterwards', async () => {
    const before = await reservedBytes()
    const file = randomBytes(2 * MIB)
    const { id, url } = await make({ size_bytes: null })
    expect((await patch(url, 0, file.subarray(0, MIB))).status).toBe(204)
    const smaller = await fetch(url, {
      method: 'PUT',
      headers: { 'Content-Range': 'bytes 0-0/1' },
      body: 'x',
    })
    expect(await reservedBytes()).toBe(before + MIB)
    expect([smaller.status, await smaller.json()]).toMatchObject([
      409,
      { error: { code: 'upload_size_mismatch' } },
    ])
    const last = { 'Upload-Length': String(file.length) }
    expect((await patch(url, MIB, file.subarray(MIB), last)).status).toBe(204)
    expect(await get(id)).toMatchObject({ status: 'complete', size_bytes: file.length })
  })

  it('is that of at most so many uploads at once', async () => {
    const account = await t.makeAccount()
    for (let count = 0; count < 20; count += 1) await make({ size_bytes: 1 }, { key: account.key })
    const more = await t.call('POST', '/v1/uploads', {
      key: account.key,
      body: { filename: 'a.mp4', size_bytes: 1 },
    })
    expect([more.status, more.code]).toEqual([422, 'too_many_uploads'])
  })
})

describe('the address of an upload', () => {
  it('is in no line of the log', async () => {
    const { url } = await make({ size_bytes: 10 })
    await patch(url, 0, randomBytes(5))
    await fetch(`${url}x`, { method: 'HEAD', headers: tus })
    const token = url.split('/').at(-1) ?? ''
    expect(token).toHaveLength(43)
    expect(t.logLines.join('')).not.toContain(token)
  })

  it('lets pages of the allowed origin send, and refuses others', async () => {
    const { url } = await make({ size_bytes: 10, allowed_origin: 'https://site.example' })
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { Origin: 'https://site.example', 'Access-Control-Request-Method': 'PATCH' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('https://site.example')
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain('PATCH')
    const other = await patch(url, 0, randomBytes(10), { Origin: 'https://other.example' })
    expect([other.status, other.headers.get('Access-Control-Allow-Origin')]).toEqual([403, null])
    const ours = await patch(url, 0, randomBytes(10), { Origin: 'https://site.example' })
    expect([ours.status, ours.headers.get('Access-Control-Allow-Origin')]).toEqual([
      204,
      'https://site.example',
    ])
  })

  it('tells every page that there is no such upload', async () => {
    const { id, url } = await make({ size_bytes: 10, allowed_origin: 'https://site.example' })
    await t.call('DELETE', `/v1/uploads/${id}`)
    const headers = { Origin: 'https://site.example' }
    const preflight = { ...headers, 'Access-Control-Request-Method': 'PUT' }
    expect((await fetch(url, { method: 'OPTIONS', headers: preflight })).status).toBe(204)
    const response = await fetch(url, { method: 'PUT', headers, body: 'a' })
    expect(response.status).toBe(404)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('https://site.example')
    expect(response.headers.get('Access-Control-Expose-Headers')).toContain('Request-Id')
  })

  it('opens no other upload, and no guess opens one', async () => {
    const { id } = await make({ size_bytes: 10 })
    expect((await t.call('GET', `/v1/uploads/${id}`, { key: t.theirs.key })).status).toBe(404)
    expect((await t.call('DELETE', `/v1/uploads/${id}`, { key: t.theirs.key })).status).toBe(404)
    const guesses = ['', 'x', 'A'.repeat(43)]
    for (let count = 0; count < 200; count += 1) guesses.push(randomBytes(32).toString('base64url'))
    const responses = await Promise.all(
      guesses.map((token) => fetch(`${t.base}/uploads/${token}`, { method: 'HEAD', headers: tus })),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([404]))
  })
})

describe('an upload whose process was killed before it recorded the end', () => {
  const leaveWhole = async (file: Buffer): Promise<Made> => {
    const made = await make({ size_bytes: file.length })
    const run = (sql: string) => t.db.em.fork().execute(sql)
    await run(`create function fail_once() returns trigger language plpgsql as
      $$ begin raise exception 'killed' using errcode = '57P01'; end $$`)
    await run('create trigger killed before insert on video execute function fail_once()')
    expect((await patch(made.url, 0, file)).status).toBeGreaterThanOrEqual(500)
    await run('drop trigger killed on video')
    await run('drop function fail_once')
    const stored = { status: 'uploading', offset_bytes: file.length }
    expect(await get(made.id)).toMatchObject(stored)
    return made
  }
  const expectOneVideo = async (id: number, file: Buffer): Promise<void> => {
    const videoId = String((await get(id)).video_id)
    expect((await readSource(t, videoId)).equals(file)).toBe(true)
    expect(await t.db.em.fork().count(Video, { id: videoId })).toBe(1)
  }

  it('becomes one video when its client asks how much is stored', async () => {
    const file = randomBytes(PART + MIB)
    const { id, url } = await leaveWhole(file)
    // A client that reads that all is stored sends nothing more.
    expect(await offsetOf(url)).toBe(file.length)
    await expectOneVideo(id, file)
  })

  it('becomes one video after a minute when its client is gone', async () => {
    const file = randomBytes(1_000)
    const { id } = await leaveWhole(file)
    const sweep = () => runActivity(endUploads, { ...t, hasDrmProvider: false })
    await sweep()
    expect(await get(id)).toMatchObject({ status: 'uploading' })
    await t.db.em
      .fork()
      .execute(`update upload set received_at = now() - interval '61 s' where id = ?`, [id])
    await Promise.all([sweep(), sweep()])
    await expectOneVideo(id, file)
  })

  it('expires if its account may have no video of it, and no run fails for it', async () => {
    const { id } = await leaveWhole(randomBytes(1_000))
    const run = (sql: string) => t.db.em.fork().execute(sql, [id])
    const sweep = () => runActivity(endUploads, { ...t, hasDrmProvider: false })
    const ofAccount = 'where account_id = (select account_id from upload where id = ?)'
    await run(`update upload set received_at = now() - interval '61 s' where id = ?`)
    await run(`update plan set is_active = false ${ofAccount}`)
    try {
      await sweep()
    } finally {
      await run(`update plan set is_active = true ${ofAccount}`)
    }
    const [{ is_old: isOld } = { is_old: null }] = await t.db.em
      .fork()
      .execute<{ is_old: boolean }[]>(
        `select received_at < now() - interval '60 s' as is_old from upload where id = ?`,
        [id],
      )
    expect(isOld).toBe(true)
    await run(
      `update upload set received_at = now() - (expires_in_seconds + 1) * interval '1 s' where id = ?`,
    )
    await sweep()
    expect(await get(id)).toMatchObject({ status: 'expired', video_id: null })
  })

  it('becomes a video beside a hundred others that cannot', async () => {
    const run = (sql: string) => t.db.em.fork().execute(sql, [t.theirs.id])
    // Without a key, as those that end in this moment.
    await run(`insert into upload (account_id, video_id, status, filename, title, description, keep_original, size_bytes,
        reserved_bytes, expires_in_seconds, received_at)
      select ?, lpad(to_hex(n), 20, '0'), 'uploading', '', '', '', false, 0, 0, 3600, now() - interval '61 s'
      from generate_series(1, 100) n`)
    const file = randomBytes(1_000)
    const { id } = await leaveWhole(file)
    await t.db.em
      .fork()
      .execute(`update upload set received_at = now() - interval '61 s' where id = ?`, [id])
    await runActivity(endUploads, { ...t, hasDrmProvider: false })
    await run(`delete from upload where account_id = ? and filename = ''`)
    await expectOneVideo(id, file)
  })

  it('says that it makes progress while what is stored is copied, which may take minutes', async () => {
    const file = randomBytes(PART + MIB)
    const { id } = await make({ size_bytes: file.length })
    const upload = await findUpload(t.db.em.fork(), t.ours.id, id)
    if (!upload) throw new Error('the upload is gone')
    const { partial } = t.storage
    const dying = {
      ...t.storage,
      partial: { ...partial, join: () => Promise.reject(new Error('killed')) },
    }
    const bytes = { startByte: 0, sizeBytes: null, bodyBytes: null }
    const sent = receiveUpload({ ...t, storage: dying, hasDrmProvider: false }, upload, {
      ...bytes,
      // A copy, whose memory is freed.
      body: Readable.from([Buffer.from(file)]),
    })
    await expect(sent).rejects.toThrow('killed')
    const run = (sql: string) => t.db.em.fork().execute(sql, [id])
    await run(`update source_write set is_held = true
      where video_id = (select video_id from upload where id = ?)`)
    await run(`update upload set received_at = now() - interval '61 s' where id = ?`)
    const environment = new MockActivityEnvironment()
    let beats = 0
    environment.on('heartbeat', () => (beats += 1))
    let beatsOfCopy = 0
    const slow: typeof partial = {
      ...partial,
      async resume(key, objectId, before, onProgress) {
        const beatsBefore = beats
        const taken = await partial.resume(key, objectId, before, onProgress)
        onProgress?.()
        beatsOfCopy = beats - beatsBefore
        return taken
      },
    }
    const storage = { ...t.storage, partial: slow }
    await environment.run(endUploads, { ...t, storage, hasDrmProvider: false })
    expect(beatsOfCopy).toBeGreaterThan(0)
    await expectOneVideo(id, file)
  })
})
