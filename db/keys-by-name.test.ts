import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openContentKey } from '../activities/encode/content-keys.ts'
import { parseMasterKeys, seal } from '../security/sealing/sealing.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../test/fixtures/database.ts'
import { migrate } from './migrate.ts'

const BEFORE = 'migration-20261128100000-overview'
const CLEARKEY_VIDEO = '0123456789abcdef0123'
const MULTI_DRM_VIDEO = '0123456789abcdef0124'
const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))

let database: DatabaseFixture

/** Takes the schema back to the migration before keys had names. */
beforeAll(async () => {
  database = await openDatabaseFixture()
  await database.execute('drop schema public cascade')
  await database.execute('create schema public')
  await database.db.migrator.up({ to: BEFORE })
})
afterAll(() => database.close())

describe('the migration to keys by name', () => {
  it('keeps the keys of a video: each opens for its track type, and Multi-DRM videos name their key model', async () => {
    const keys = new Map(['AUDIO', 'SD'].map((type) => [type, randomBytes(16)]))
    await database.execute(
      `insert into account (name, settings, sealed_signing_secret) values ('a', '{}', 'sealed')`,
    )
    for (const [id, protection] of [
      [CLEARKEY_VIDEO, 'clearkey'],
      [MULTI_DRM_VIDEO, 'multi-drm'],
    ])
      await database.execute(
        `insert into video (id, account_id, title, source_url, protection)
         select ?, id, 'a lesson', '', ? from account`,
        [id, protection],
      )
    for (const videoId of [CLEARKEY_VIDEO, MULTI_DRM_VIDEO])
      for (const [type, key] of keys)
        await database.execute(
          `insert into content_key (video_id, track_type, key_id, sealed_key, systems)
           values (?, ?, md5(random()::text), ?, '[]')`,
          [
            videoId,
            type,
            seal(masterKeys, key, { kind: 'content-key', text: `content-key:${videoId}:${type}` }),
          ],
        )

    expect(await migrate(database.databaseUrl)).toContain('migration-20261130100000-keys-by-name')

    for (const videoId of [CLEARKEY_VIDEO, MULTI_DRM_VIDEO]) {
      const audio = await openContentKey(masterKeys, database.em(), videoId, 'AUDIO')
      expect(audio).toMatchObject({ name: 'AUDIO', trackTypes: ['AUDIO'], key: keys.get('AUDIO') })
      const sd = await openContentKey(masterKeys, database.em(), videoId, 'SD')
      expect(sd.key).toEqual(keys.get('SD'))
    }
    expect(await database.execute('select id, key_model from video order by id')).toEqual([
      { id: CLEARKEY_VIDEO, key_model: null },
      { id: MULTI_DRM_VIDEO, key_model: 'provider' },
    ])
  })
})
