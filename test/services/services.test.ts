import { connect } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { createTestDatabase, s3Server, temporalAddress } from './index.ts'

const tables = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select tablename from pg_tables where schemaname = 'public'`)
  await client.end()
  return rows.map((row: { tablename: string }) => row.tablename)
}

describe('test services', () => {
  it('gives every caller a migrated database of its own, and takes it away', async () => {
    const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()])
    expect(first.url).not.toBe(second.url)
    expect(await tables(first.url)).toContain('video')
    await Promise.all([first.drop(), second.drop()])
    await expect(tables(first.url)).rejects.toThrow('does not exist')
  })

  it('shares one Temporal server, with the search attributes registered', async () => {
    const [address, again] = await Promise.all([temporalAddress(), temporalAddress()])
    expect(again).toBe(address)
    const [host = '', port] = address.split(':')
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), host, () => resolve(void socket.destroy()))
      socket.once('error', reject)
    })
  })

  it('gives every caller an S3 bucket of its own', async () => {
    const [first, second] = await Promise.all([s3Server(), s3Server()])
    expect(first.bucket).not.toBe(second.bucket)
    expect(first.endpoint).toBe(second.endpoint)
  })
})
