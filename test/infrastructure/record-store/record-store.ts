import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { checkStatement } from './check-statement.ts'

/** A statement as the record store has it. */
interface StoredStatement {
  id: string
  verb: { id: string }
  actor: { account: { homePage: string; name: string } }
  [name: string]: unknown
}

/** A learning record store that refuses what a real one refuses (xAPI 1.0.3, statements). */
export interface RecordStoreDouble {
  /** What it has, by id, in the order in which it came. */
  stored: Map<string, StoredStatement>
  /** The ids of each request with valid credentials. */
  requests: string[][]
  /** Refused by this store alone, by id. */
  unwanted: Set<string>
  /** In place of its own response, once the statements are stored or refused. */
  respond: ((status: number) => { status: number; body?: string; headers?: object }) | null
  /** Called with each request before it is read. */
  onRequest: (() => void) | null
  listener: RequestListener
}

interface Outcome {
  status: number
  body: unknown
}

/** Creates a record store that accepts this user. */
export function createRecordStore(username: string, password: string): RecordStoreDouble {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const store: RecordStoreDouble = {
    stored: new Map(),
    requests: [],
    unwanted: new Set(),
    respond: null,
    onRequest: null,
    listener: (request, response) => {
      store.onRequest?.()
      void text(request).then((body) => {
        const { status, body: own } = take(store, request, authorization, body)
        const given = store.respond?.(status) ?? { status, body: JSON.stringify(own) }
        response.writeHead(given.status, { 'Content-Type': 'application/json', ...given.headers })
        response.end(given.body)
      })
    },
  }
  return store
}

function take(
  store: RecordStoreDouble,
  { method, url, headers }: IncomingMessage,
  authorization: string,
  body: string,
): Outcome {
  if (method !== 'POST' || url !== '/xapi/statements') return { status: 404, body: 'no such place' }
  if (headers.authorization !== authorization) return { status: 401, body: 'wrong credentials' }
  if (!/^1\.0\.[0-3]$/.test(String(headers['x-experience-api-version'])))
    return { status: 400, body: 'wrong X-Experience-API-Version' }
  if (headers['content-type'] !== 'application/json') return { status: 400, body: 'no JSON' }
  const statements = JSON.parse(body) as StoredStatement[]
  const ids = statements.map(({ id }) => id)
  store.requests.push(ids)
  if (new Set(ids).size < ids.length) return { status: 400, body: 'an id is there twice' }
  try {
    for (const statement of statements) checkStatement(statement)
  } catch (error) {
    return { status: 400, body: String(error) }
  }
  // All of a request, or none.
  const refused = ids.find((id) => store.unwanted.has(id))
  if (refused !== undefined) return { status: 400, body: `the statement ${refused} is refused` }
  if (statements.some((one) => !isSame(store.stored.get(one.id), one)))
    return { status: 409, body: 'another statement has this id' }
  for (const statement of statements) store.stored.set(statement.id, statement)
  return { status: 200, body: ids }
}

const isSame = (stored: StoredStatement | undefined, sent: StoredStatement): boolean =>
  stored === undefined || isDeepStrictEqual(stored, sent)
