import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll } from '@jest/globals'
import { pino } from 'pino'
import { createAccountWithSecret, createKey } from '../../cli/create-account.ts'
import { openDatabase } from '../../db/database.ts'
import type { Database } from '../../db/database.ts'
import { SCOPES } from '../../domain/scopes.ts'
import type { Scope } from '../../domain/scopes.ts'
import { createEgress } from '../../egress/egress.ts'
import { parseMasterKeys } from '../../security/sealing.ts'
import type { MasterKeys } from '../../security/sealing.ts'
import { openOutsideHost } from '../../test/service/outside-host.ts'
import type { OutsideHost } from '../../test/service/outside-host.ts'
import { createTestDatabase } from '../../test/services/index.ts'
import { createApp } from '../app.ts'
import { createLongPolls } from '../long-polls.ts'
import { SERVER_OPTIONS, answerUnreadable } from '../unreadable-requests.ts'
import { checkAgainstDocument } from './check-document.ts'

/** What signs the payments of the tests. */
export const STRIPE_WEBHOOK_SECRET = 'whsec_of_the_tests'

interface TestAccount {
  id: number
  /** With every scope. */
  key: string
}

interface Call {
  body?: unknown
  raw?: string | Buffer
  /** Of our account by default; null sends none. */
  key?: string | null
  headers?: Record<string, string>
}

interface ApiAnswer {
  status: number
  headers: Headers
  json: {
    [field: string]: unknown
    error?: {
      code: string
      param?: string
      type: string
      request_id: string
      message: string
      doc_url: string
    }
  }
  code: string | undefined
}

/** The whole API on a database of its own, with a host outside that has a film and takes webhooks. */
export interface ApiWorld {
  /** http://127.0.0.1:port */
  base: string
  db: Database
  masterKeys: MasterKeys
  outside: OutsideHost
  /** Every line that the API has logged. */
  logLines: string[]
  /** What the outside host serves, by name, and where it lies. */
  files: Record<string, string>
  folder: string
  ours: TestAccount
  theirs: TestAccount
  makeAccount: () => Promise<TestAccount>
  keyFor: (accountId: number, scopes: Scope[]) => Promise<string>
  call: (method: string, path: string, options?: Call) => Promise<ApiAnswer>
  film: () => string
  /** Puts a file on the outside host; returns its link. */
  serveFile: (name: string, content: string | Buffer) => Promise<string>
  /** POST /v1/videos with the film, and `body` over it. */
  create: (body?: object, headers?: Record<string, string>) => Promise<ApiAnswer>
}

/** Sets the API up for one test file. */
export function setUpApi(): ApiWorld {
  const world = {} as ApiWorld
  let close = async (): Promise<void> => {}
  beforeAll(async () => {
    const opened = await openWorld()
    close = opened.close
    Object.assign(world, opened.parts)
    world.ours = await world.makeAccount()
    world.theirs = await world.makeAccount()
  })
  afterAll(() => close())
  world.makeAccount = async () => {
    const em = world.db.em.fork()
    const account = { name: 'Test', protection: 'clearkey', storageLimitBytes: null } as const
    const id = await createAccountWithSecret(em, world.masterKeys, account)
    return { id, key: await world.keyFor(id, [...SCOPES]) }
  }
  world.keyFor = (accountId, scopes) =>
    createKey(world.db.em.fork(), { accountId, name: 'test', scopes })
  world.call = (method, path, { key = world.ours.key, ...options } = {}) =>
    send(world.base, method, path, { key, ...options })
  world.film = () => `${world.outside.baseUrl}/films/film.mp4`
  world.serveFile = async (name, content) => {
    const path = join(world.folder, name)
    await writeFile(path, content)
    world.files[name] = path
    return `${world.outside.baseUrl}/films/${name}`
  }
  world.create = (body = {}, headers = {}) =>
    world.call('POST', '/v1/videos', { body: { source_url: world.film(), ...body }, headers })
  return world
}

async function openWorld() {
  const database = await createTestDatabase()
  const db = await openDatabase({ url: database.url, poolSize: 8 })
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-api-'))
  await writeFile(join(folder, 'film.mp4'), Buffer.alloc(1000))
  const files: Record<string, string> = { 'film.mp4': join(folder, 'film.mp4') }
  const outside = await openOutsideHost(folder, files)
  const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))
  const logLines: string[] = []
  const sink = new Writable({
    write: (line: Buffer, _encoding, done) => (logLines.push(line.toString()), done()),
  })
  const logger = pino({ level: 'debug' }, sink)
  const extraCa = [await readFile(outside.caFile, 'utf8')]
  const egress = createEgress({ allowedNetworks: ['127.0.0.0/8'], extraCa, logger })
  const embedBase = 'https://play.example'
  const apiBase = 'https://api.example'
  const rateLimits = { perMinute: 1_000_000, perDay: 1_000_000 }
  const options = { db, masterKeys, egress, apiBase, embedBase, rateLimits, logger }
  const stripeWebhookSecret = STRIPE_WEBHOOK_SECRET
  const longPolls = createLongPolls(new AbortController().signal)
  const app = createApp({
    ...{ ...options, stripeWebhookSecret, longPolls, hasDrmProvider: false, trustedProxies: 0 },
  })
  const server = createServer(SERVER_OPTIONS, app).listen(0)
  answerUnreadable(server, apiBase, logger)
  await new Promise((resolve) => server.once('listening', resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await outside.close()
    await db.close(true)
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
  const { port } = server.address() as AddressInfo
  return {
    parts: { db, masterKeys, outside, folder, files, logLines, base: `http://127.0.0.1:${port}` },
    close,
  }
}

async function send(
  base: string,
  method: string,
  path: string,
  { body, raw, key, headers = {} }: Call,
): Promise<ApiAnswer> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(payload === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  })
  const text = await response.text()
  const json = (text === '' ? {} : JSON.parse(text)) as ApiAnswer['json']
  const { status, headers: answered } = response
  const wasJson = raw !== undefined && raw.length > 0 && status < 300
  const sent: unknown = wasJson ? JSON.parse(String(raw)) : body
  checkAgainstDocument({ method, path, body: sent, status, headers: answered, answer: json })
  return { status, headers: answered, json, code: json.error?.code }
}
