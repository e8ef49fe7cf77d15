import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunkOfTicket, laterChunkOfTicket, nextChunk, type Claim } from './next-chunk.ts'

const choices = fc.integer({ min: 1, max: 40 }).chain((count) => {
  const chunk = fc.integer({ min: 0, max: count - 1 })
  return fc.record({
    count: fc.constant(count),
    taken: fc.array(chunk).map((all) => new Set(all)),
    playheads: fc.array(chunk, { maxLength: 10 }),
  })
})

describe('the next chunk', () => {
  it('is one that is not taken, and the first one before all others', () => {
    fc.assert(
      fc.property(choices, (choice) => {
        const index = nextChunk(choice)
        const { count, taken } = choice
        if (index === null) {
          expect(taken.size).toBe(count)
          return
        }
        expect(taken.has(index)).toBe(false)
        expect(index).toBeGreaterThanOrEqual(0)
        expect(index).toBeLessThan(count)
        if (!taken.has(0)) expect(index).toBe(0)
      }),
    )
  })

  it('is at most as far from its playhead as any other that a viewer comes to', () => {
    fc.assert(
      fc.property(choices, ({ count, taken, playheads }) => {
        const index = nextChunk({ count, taken: new Set([...taken, 0]), playheads })
        if (index === null) return
        const distancesOf = (chunk: number) =>
          playheads.filter((playhead) => playhead <= chunk).map((playhead) => chunk - playhead)
        const least = Math.min(...distancesOf(index))
        for (let other = 1; other < count; other += 1)
          if (!taken.has(other)) expect(least).toBeLessThanOrEqual(Math.min(...distancesOf(other)))
      }),
    )
  })

  it.each([
    ['of a video without a viewer is the first one that is left', [0, 1], [], 2],
    ['is the one that a viewer waits in', [0], [5, 7], 5],
    ['is that of the viewer who comes to it sooner', [0, 1, 2, 3, 6], [1, 6], 7],
    ['is that of the earliest playhead among equals', [0, 3, 6], [6, 3], 4],
    ['is the first one that is left if all viewers have passed the others', [0, 8, 9], [8], 1],
  ])('%s', (_title, taken, playheads, index) => {
    expect(nextChunk({ count: 10, taken: new Set(taken), playheads })).toBe(index)
  })
})

describe('the tickets of a video', () => {
  it('encode each chunk exactly once, in any order, with kills, retries and two attempts at once', () => {
    // Each number decides one step: which attempt goes on, whether it is killed, and where viewers are.
    const steps = fc.infiniteStream(fc.nat())
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), steps, (count, stream) => {
        const next = (below: number): number => Number(stream.next().value) % below
        const claims: Claim[] = []
        const recorded: number[] = []
        const open = new Set(Array.from({ length: count }, (_, ticket) => ticket))
        const running: Claim[] = []
        // From here on nothing is killed.
        for (let step = 0; open.size > 0; step += 1) {
          const isCalm = step > 20 * count
          const tickets = [...open]
          const attempt = running.length > 0 && next(2) === 0 && running[next(running.length)]
          if (attempt) {
            running.splice(running.indexOf(attempt), 1)
            if (!isCalm && next(3) === 0) continue
            if (!recorded.includes(attempt.index)) recorded.push(attempt.index)
            // A killed worker may have recorded its chunk.
            if (isCalm || next(4) > 0) open.delete(attempt.ticket)
            continue
          }
          const ticket = tickets[next(tickets.length)] ?? 0
          const playheads = next(5) === 0 ? null : [next(count), next(count)]
          const index = chunkOfTicket({ ticket, count, claims, recorded, playheads })
          if (index === null) open.delete(ticket)
          else if (!claims.some((claim) => claim.ticket === ticket)) {
            expect(claims.map((claim) => claim.index)).not.toContain(index)
            claims.push({ ticket, index })
          }
          if (index !== null) running.push({ ticket, index })
        }
        expect(recorded.toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: count }, (_, index) => index),
        )
        expect(claims).toHaveLength(count)
      }),
    )
  })

  it('go on without work if the others have claimed or recorded all chunks', () => {
    const others = { count: 3, claims: [{ ticket: 0, index: 2 }], playheads: [] }
    expect(chunkOfTicket({ ...others, ticket: 1, recorded: [0, 1] })).toBeNull()
    expect(chunkOfTicket({ ...others, ticket: 0, recorded: [0, 1, 2] })).toBe(2)
  })

  it('are the numbers of the chunks in a video that does not play while it grows', () => {
    const video = { count: 3, recorded: [], playheads: null }
    expect(chunkOfTicket({ ...video, ticket: 2, claims: [] })).toBe(2)
    expect(chunkOfTicket({ ...video, ticket: 2, claims: [{ ticket: 1, index: 2 }] })).toBe(0)
  })
})

describe('the tickets of the other rungs', () => {
  it('get all chunks, each once, first those whose source their machine has read', () => {
    const machine = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 })
    const order = fc.shuffledSubarray([...Array(12).keys()], { minLength: 12 })
    fc.assert(
      fc.property(
        fc.array(machine, { minLength: 1 }),
        order,
        fc.nat(11),
        (machines, tickets, done) => {
          const claims: Claim[] = []
          const recorded = [done]
          for (const [turn, ticket] of tickets.entries()) {
            const read = machines[turn % machines.length] ?? []
            const hasRead = (index: number): boolean => read[index] === true
            const choice = { ticket, count: 12, recorded, hasRead }
            const taken = [...recorded, ...claims.map(({ index }) => index)]
            const free = [...Array(12).keys()].filter((index) => !taken.includes(index))
            const index = laterChunkOfTicket({ ...choice, claims })
            if (index === null) expect(free).toEqual([])
            else {
              expect(free).toContain(index)
              expect(hasRead(index)).toBe(free.some(hasRead))
              claims.push({ ticket, index })
            }
            // A retry, on any machine.
            expect(laterChunkOfTicket({ ...choice, hasRead: () => true, claims })).toBe(index)
          }
          const indexes = [...recorded, ...claims.map(({ index }) => index)]
          expect(indexes.toSorted((a, b) => a - b)).toEqual([...Array(12).keys()])
        },
      ),
    )
  })
})
