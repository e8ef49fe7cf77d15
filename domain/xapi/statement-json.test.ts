import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkStatement } from '../../test/infrastructure/record-store/check-statement.ts'
import { PARTS } from '../audience/session-measures.ts'
import { completionFacts, sessionFacts, type StatedSession } from './statement-facts.ts'
import { statementJson, testStatementJson } from './statement-json.ts'

const ms = fc.integer({ min: 0, max: 7 * 86_400_000 })
const seconds = fc.integer({ min: 0, max: 604_800 })
const parts = fc
  .array(fc.constantFrom('0', '1'), { minLength: PARTS, maxLength: PARTS })
  .map((bits) => bits.join(''))

const session = fc.record({
  id: fc.uuid(),
  title: fc.string({ unit: 'grapheme', maxLength: 200 }),
  stretches: fc.array(fc.record({ from: seconds, to: seconds, at: seconds }), { maxLength: 64 }),
  durationMs: fc.option(ms),
  positionMs: fc.option(ms),
  measures: fc.record({
    watchedMs: ms,
    mediaMs: ms,
    parts: fc.option(parts),
    replayedParts: fc.constant(null),
    firstFrameMs: fc.constant(null),
    stalls: fc.constant(0),
    stalledMs: fc.constant(0),
    quality: fc.constant(null),
    speed: fc.option(fc.integer({ min: 1, max: 1600 })),
    error: fc.constant(null),
  }),
}) satisfies fc.Arbitrary<StatedSession>

const places = {
  homePage: 'https://school.example',
  embedBase: 'https://play.example',
  registration: randomUUID(),
}

describe('a statement', () => {
  it('is valid, whatever a player has reported and a viewer is called', () => {
    const viewer = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 128 })
    fc.assert(
      fc.property(session, viewer, ms, (one, viewerId, watchedMs) => {
        const of = { id: randomUUID(), accountId: 7, viewerId, videoId: 'a'.repeat(20), atMs: 1e12 }
        const ended = { ...of, verb: 'terminated', facts: sessionFacts(one) } as const
        const watched = { parts: one.measures.parts, watchedMs }
        const complete = { ...of, verb: 'completed', facts: completionFacts(one, watched) } as const
        // As it waits in the database.
        for (const statement of [ended, complete])
          checkStatement(
            JSON.parse(
              JSON.stringify(statementJson(JSON.parse(JSON.stringify(statement)), places)),
            ),
          )
      }),
    )
  })

  it('is valid if it is a test', () => {
    const statement = testStatementJson({ id: randomUUID(), atMs: 1e12 }, places)
    expect(() => checkStatement(statement)).not.toThrow()
    expect(() => checkStatement({ ...statement, id: 'x' })).toThrow('id is invalid')
  })
})
