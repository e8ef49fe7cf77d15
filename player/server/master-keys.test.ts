import { randomBytes } from 'node:crypto'
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withDeps } from '../../activities/deps.ts'
import { resealValues } from '../../activities/upkeep/reseal-values.ts'
import type { ResealBatch, ResealPosition } from '../../domain/master-key-rotation.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import {
  openSessionFixture,
  statusAndCode,
  type SessionFixture,
} from '../../test/fixtures/playback-sessions.ts'

let fixture: SessionFixture
let keysOf: Record<'old' | 'both, old first' | 'both, new first' | 'new', string>

beforeAll(async () => {
  fixture = await openSessionFixture()
  const old = `1:${fixture.masterKey}`
  const next = `2:${randomBytes(32).toString('hex')}`
  keysOf = {
    old,
    'both, old first': `${old},${next}`,
    'both, new first': `${next},${old}`,
    new: next,
  }
})
afterAll(() => fixture.close())

/** Replaces the host by one with other master keys. */
const restartWith = (keys: keyof typeof keysOf) =>
  fixture.restart({ masterKeys: parseMasterKeys(keysOf[keys]) })

/** Sends a heartbeat that succeeds; resolves to the renewed token. */
async function beat(session: string): Promise<string> {
  const response = await fixture.beat(session)
  expect(response.status).toBe(200)
  const { session: renewed }: { session: string } = JSON.parse(await response.text())
  return renewed
}
const isPlaying = async (session: string): Promise<string> => {
  expect((await fixture.licence(session)).status).toBe(200)
  return beat(session)
}

/** Runs every batch of a rotation to the new key. */
async function sealAgain(): Promise<void> {
  const masterKeys = parseMasterKeys(keysOf['both, new first'])
  const reseal = withDeps({ db: fixture.db, masterKeys }, resealValues)
  let position: ResealPosition | null = null
  do {
    const batch: ResealBatch = await new MockActivityEnvironment().run(reseal, {
      version: 2,
      position,
    })
    position = batch.next
  } while (position !== null)
}

describe('a playback session during a change of the master key', () => {
  it('continues on every host that knows the key that signed it', async () => {
    await restartWith('old')
    const { session: first } = await fixture.openPage()
    await restartWith('both, old first')
    const second = await isPlaying(first)
    await restartWith('old')
    await isPlaying(second)
    await restartWith('both, new first')
    const third = await isPlaying(second)
    expect(third).toHaveLength(first.length)
    // One host has the new key as its current one, another does not yet.
    await restartWith('both, old first')
    await isPlaying(third)
    await restartWith('old')
    expect(await statusAndCode(await fixture.beat(third))).toEqual([403, 'session_required'])
    await isPlaying(second)
    await restartWith('both, new first')
    await sealAgain()
    await isPlaying(second)
    await restartWith('new')
    expect(await statusAndCode(await fixture.beat(second))).toEqual([403, 'session_required'])
    await isPlaying(third)
    expect(await fixture.sessions()).toHaveLength(1)
  })
})
