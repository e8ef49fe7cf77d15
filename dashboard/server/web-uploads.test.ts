import { describe, expect, it } from 'vitest'
import { AUDIT_ACTIONS } from '../../domain/accounts/audit-actions.ts'
import { LANGUAGES } from '../../domain/language.ts'
import { SOURCE_MAX_BYTES } from '../../domain/limits.ts'
import { speedMeter } from '../../domain/uploads/speed-meter.ts'
import { Problem } from '../web/api/problem.ts'
import { actionText } from '../web/pages/audit/action-text.ts'
import type { AuditWords } from '../web/pages/audit/locales/en.ts'
import { chunkSize, type TextStorage } from '../web/uploads/queue/chunk-size.ts'
import { folderName } from '../web/uploads/queue/folder-name.ts'
import { judgeProblem } from '../web/uploads/queue/judge-problem.ts'
import { refuseFile } from '../web/uploads/queue/refuse-file.ts'
import { hasRemembered, rememberedUploads } from '../web/uploads/queue/remembered-uploads.ts'
import { newItem } from '../web/uploads/queue/upload-item.ts'

const MIB = 1 << 20

/** What a browser keeps. */
function storageOf(texts: Map<string, string>): TextStorage {
  return {
    get length() {
      return texts.size
    },
    key: (index) => [...texts.keys()][index] ?? null,
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, value) => void texts.set(key, value),
    removeItem: (key) => void texts.delete(key),
  }
}

const refuse = (): never => {
  throw new Error('the browser keeps nothing')
}

/** That of a browser which throws at each use. */
const REFUSING: TextStorage = {
  get length() {
    return refuse()
  },
  key: refuse,
  getItem: refuse,
  setItem: refuse,
  removeItem: refuse,
}

describe('a file that is refused at once', () => {
  it.each([
    ['notes.txt', 'text/plain', 10, null, 'not_video'],
    ['cover.jpg', 'image/jpeg', 10, null, 'not_video'],
    ['lesson.mp4', 'video/mp4', 0, null, 'empty'],
    ['lesson.mp4', 'video/mp4', SOURCE_MAX_BYTES + 1, null, 'too_large'],
    ['lesson.mp4', 'video/mp4', 11, 10, 'no_room'],
  ])('%s of type %j with %i bytes and room for %s: %s', (name, type, size, room, reason) => {
    expect(refuseFile({ name, type, size }, room)).toBe(reason)
  })

  it.each([
    ['lesson.mp4', ''],
    ['LESSON.MKV', ''],
    ['00042.MTS', ''],
    ['recording', ''],
    ['clip.odd', 'video/odd'],
  ])('is not %s of type %j', (name, type) => {
    expect(refuseFile({ name, type, size: 10 }, 10)).toBeNull()
  })
})

describe('the size of chunks', () => {
  it('is 16 MiB, and is remembered once a proxy takes only smaller ones', () => {
    const texts = new Map<string, string>()
    const chunk = chunkSize(storageOf(texts))
    expect(chunk.bytes()).toBe(16 * MIB)
    chunk.keep(8 * MIB)
    expect(chunk.bytes()).toBe(8 * MIB)
    expect(chunkSize(storageOf(texts)).bytes()).toBe(8 * MIB)
  })

  it.each(['0', '1', 'x', '99999999999', '-1'])('is 16 MiB if the browser keeps %j', (kept) => {
    const texts = new Map([['reelgate-upload-chunk', kept]])
    expect(chunkSize(storageOf(texts)).bytes()).toBe(16 * MIB)
  })

  it('holds until the page is left if the browser keeps nothing', () => {
    for (const storage of [REFUSING, null]) {
      const chunk = chunkSize(storage)
      chunk.keep(8 * MIB)
      expect(chunk.bytes()).toBe(8 * MIB)
    }
  })
})

describe('an upload that the browser remembers', () => {
  const owner = { account: '7', memberId: 3 }
  const file = { name: 'Lesson 1.mp4', size: 10, lastModified: 5 }
  const item = { ...newItem('k', { file, folder: 'Course / Week 1' }), uploadId: 12 }

  it('is known again by its file, for its member and account alone, without its address', () => {
    const texts = new Map<string, string>()
    const storage = storageOf(texts)
    rememberedUploads(storage, owner).keep({ ...item, state: 'uploading', sentBytes: 4 })
    const later = rememberedUploads(storage, owner)
    expect(later.keys()).toEqual(['k'])
    expect(later.read('k')).toEqual({
      key: 'k',
      name: 'Lesson 1.mp4',
      sizeBytes: 10,
      modifiedMs: 5,
      folder: 'Course / Week 1',
      uploadId: 12,
    })
    expect(hasRemembered(storage, '7', 3)).toBe(true)
    for (const [account, memberId] of [
      ['7', 4],
      ['70', 3],
      ['7', 33],
    ] as const)
      expect(hasRemembered(storage, account, memberId)).toBe(false)
    later.keep({ ...item, state: 'done', videoId: 'a' })
    expect(texts.size).toBe(0)
  })

  it('is forgotten if it was refused before the server knew it', () => {
    const texts = new Map<string, string>()
    const remembered = rememberedUploads(storageOf(texts), owner)
    remembered.keep({ ...item, state: 'uploading', uploadId: null })
    remembered.keep({ ...item, state: 'failed', uploadId: null, failure: 'insufficient_storage' })
    expect(texts.size).toBe(0)
  })

  it('is none if the browser keeps nothing, or something else', () => {
    for (const storage of [REFUSING, null]) {
      const remembered = rememberedUploads(storage, owner)
      remembered.keep(item)
      remembered.forget('k')
      expect([remembered.keys(), remembered.read('k')]).toEqual([[], null])
    }
    for (const text of ['', '{', 'null', '[]', '{"name":1}', '{"name":"a","sizeBytes":"1"}']) {
      const storage = storageOf(new Map([['reelgate-upload-7-3-k', text]]))
      expect(rememberedUploads(storage, owner).read('k')).toBeNull()
    }
  })
})

describe('the name of a folder', () => {
  it.each([
    [['Course'], 'Course'],
    [['Course', ' Week 1 ', 'Extra'], 'Course / Week 1 / Extra'],
    [['Cafe\u0301\u202E'], 'Café'],
    [['a'.repeat(300)], 'a'.repeat(255)],
    [[' '], null],
    [[], null],
  ])('of %j is %j', (path, name) => {
    expect(folderName(path)).toBe(name)
  })
})

describe('the speed of an upload', () => {
  it('is that of the last ten seconds, and unknown in the first one', () => {
    const measure = speedMeter()
    expect(measure(0, 0)).toBeNull()
    expect(measure(500, 500)).toBeNull()
    expect(measure(2_000, 2_000)).toBe(1_000)
    for (let second = 3; second <= 20; second += 1) measure(2_000 + second * 3_000, second * 1_000)
    expect(measure(2_000 + 21 * 3_000, 21_000)).toBe(3_000)
  })

  it('begins again where the server has less than was sent', () => {
    const measure = speedMeter()
    measure(0, 0)
    measure(5_000, 5_000)
    expect(measure(1_000, 6_000)).toBeNull()
    expect(measure(3_000, 8_000)).toBe(1_000)
  })
})

describe('a problem of an upload', () => {
  const problem = (status: number, code: string) =>
    new Problem({ kind: 'api_error', code, message: '', status, field: null, requestId: null })

  it.each([
    [new TypeError('failed to fetch'), { kind: 'passes', delay: 'network' }],
    [problem(401, 'not_signed_in'), { kind: 'passes', delay: 'sign-in' }],
    [problem(409, 'other_member'), { kind: 'passes', delay: 'sign-in' }],
    [problem(409, 'upload_offset_mismatch'), { kind: 'passes', delay: 'server' }],
    [problem(409, 'upload_taken_over'), { kind: 'passes', delay: 'server' }],
    [problem(409, 'upload_ended'), { kind: 'ends', failure: 'upload_ended' }],
    [problem(408, 'invalid_request'), { kind: 'passes', delay: 'server' }],
    [problem(429, 'rate_limited'), { kind: 'passes', delay: 'server' }],
    [problem(503, 'unexpected_answer'), { kind: 'passes', delay: 'server' }],
    [problem(404, 'upload_not_found'), { kind: 'gone', failure: 'upload_not_found' }],
    [problem(422, 'insufficient_storage'), { kind: 'ends', failure: 'insufficient_storage' }],
    [problem(403, 'insufficient_role'), { kind: 'ends', failure: 'insufficient_role' }],
    [problem(413, 'payload_too_large'), { kind: 'ends', failure: 'payload_too_large' }],
    [problem(0, 'file_unreadable'), { kind: 'ends', failure: 'file_unreadable' }],
  ])('%s: %j', (error, verdict) => {
    expect(judgeProblem(error)).toEqual(verdict)
  })
})

describe('the audit log', () => {
  it.each(LANGUAGES)('has words for each action in %s', async (language) => {
    const module: Record<string, AuditWords> = await import(
      `../web/pages/audit/locales/${language}.ts`
    )
    const words = module[language]
    if (!words) throw new Error(`no words in ${language}`)
    expect(AUDIT_ACTIONS.filter((action) => actionText(action, words) === action)).toEqual([])
  })
})
