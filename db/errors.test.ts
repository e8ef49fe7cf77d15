import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asApiError } from '../http/middleware/error-handler.ts'
import { asPlayerError } from '../player/server/player-error.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../test/fixtures/database.ts'
import { databaseFaultOf, databaseReasonOf, type DatabaseFault } from './errors.ts'

let database: DatabaseFixture
beforeAll(async () => void (database = await openDatabaseFixture()))
afterAll(() => database.close())

/** The error of a statement that PostgreSQL refuses with this SQLSTATE. */
const refusal = (code: string): Promise<unknown> =>
  database.execute(`do $$ begin raise exception using errcode = '${code}'; end $$`).then(
    () => null,
    (error: unknown) => error,
  )

/** SQLSTATEs, what they mean, and the status of the API and the player; null if a command returns. */
const TABLE: [DatabaseFault, number | null, string[]][] = [
  ['collision', 503, ['40000', '40001', '40P01']],
  ['missing_parent', 500, ['23503']],
  ['conflict', null, ['23505', '23P01']],
  ['unavailable', 503, ['08000', '08001', '08003', '08004', '08006', '08P01']],
  ['unavailable', 503, ['53000', '53100', '53200', '53300', '53400']],
  ['unavailable', 503, ['57014', '57000', '57P01', '57P02', '57P03', '57P04', '57P05']],
  ['unavailable', 503, ['55P03', '25P03', '25P04', '25006', '58030']],
  // An operator has to change a setting: the password, the name of the database, or the pooler in front of it.
  ['refused', 503, ['28000', '28P01', '3D000', '42P05', '26000']],
  // Values of a wrong form or out of range, invalid rows, wrong statements, corrupted data.
  ['bug', 500, ['22001', '22003', '22021', '22P02', '22P05', '23502', '23514']],
  ['bug', 500, ['42601', '42703', '42P01', '0A000', '25P02', '40003', 'P0001', 'XX000', 'XX001']],
]

describe('an error of PostgreSQL', () => {
  it.each(
    TABLE.flatMap(([fault, status, codes]) => codes.map((code) => ({ code, fault, status }))),
  )(
    '$code is a fault of the kind $fault, with the status $status',
    async ({ code, fault, status }) => {
      const error = await refusal(code)
      expect(databaseFaultOf(error)).toBe(fault)
      if (status === null) return
      const result = asApiError(error)
      expect(result?.status ?? 500).toBe(status)
      expect(result?.headers['Retry-After']).toBe(status === 503 ? '5' : undefined)
      expect(asPlayerError(error).status).toBe(status)
    },
  )

  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])(
    'is not known if the connection fails with %s, so PostgreSQL is unavailable',
    (code) => expect(databaseFaultOf(Object.assign(new Error(code), { code }))).toBe('unavailable'),
  )

  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
    'is not known after "%s", which has no code',
    (message) => {
      expect(databaseFaultOf(new Error(message))).toBe('unavailable')
      const wrapped = Object.assign(new Error(message), { code: undefined })
      expect(databaseFaultOf(wrapped)).toBe('unavailable')
    },
  )

  it.each([
    ['refused', 'does not have the database', 'no such database: reelgate'],
    ['unavailable', 'has no connection left', 'no more connections allowed (max_client_conn)'],
    ['unavailable', 'cannot be reached', 'server login has been failing, try again later'],
  ])('is %s, and %s, if a pooler says "%s"', (fault, reason, message) => {
    const error = Object.assign(new Error(message), { code: '08P01', severity: 'FATAL' })
    expect([databaseFaultOf(error), databaseReasonOf(error)]).toEqual([fault, reason])
  })

  it.each([
    new Error('other'),
    Object.assign(new Error('no file'), { code: 'EPERM' }),
    null,
    '40001',
  ])('is not what %s is', (error) => expect(databaseFaultOf(error)).toBeNull())
})
