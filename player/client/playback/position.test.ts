import { describe, expect, it } from '@jest/globals'
import type { PlayerData } from '../../player-data.ts'
import { openMemory } from '../memory.ts'
import { readOptions } from '../../embed-options.ts'
import { startPosition } from './position.ts'

const NOW_MS = 1_800_000_000_000
const NAME = 'position:v:ann'

function startsAt(
  { resumeSeconds = null, resumeAgeMs = null }: Partial<PlayerData>,
  kept: Record<string, string> = {},
  query = '',
): number | null {
  const memory = openMemory(() => {
    throw new Error('refused')
  })
  for (const [name, value] of Object.entries(kept)) memory.write(name, value)
  const data = { videoId: 'v', viewerKey: 'ann', resumeSeconds, resumeAgeMs } as PlayerData
  return startPosition(data, readOptions(query), memory, NOW_MS)
}

describe('a video begins', () => {
  const server = { resumeSeconds: 30, resumeAgeMs: 60_000 }

  it.each([
    ['at its start where nothing is known', {}, {}, null],
    ['where the server says, in another browser', server, {}, 30],
    ['where this browser says, where the server knows nothing', {}, { [NAME]: `45@${NOW_MS}` }, 45],
    ['where this browser left it since', server, { [NAME]: `45@${NOW_MS - 1_000}` }, 45],
    ['where another device left it since', server, { [NAME]: `45@${NOW_MS - 61_000}` }, 30],
    ['anew where this browser was at its end since', server, { [NAME]: `0@${NOW_MS}` }, null],
    [
      'anew where another device was at its end since',
      { resumeSeconds: null, resumeAgeMs: 1_000 },
      { [NAME]: `45@${NOW_MS - 5_000}` },
      null,
    ],
    [
      'by the server where only another viewer used this browser',
      server,
      { 'position:v:eve': `45@${NOW_MS}` },
      30,
    ],
    ['where an earlier version of the player left it', {}, { [NAME]: '25' }, 25],
    ['at its start where what is kept makes no sense', {}, { [NAME]: 'x@y' }, null],
  ])('%s', (_title, data, kept, seconds) => {
    expect(startsAt(data, kept)).toBe(seconds)
  })

  it('at the start option of the address, if there is one', () => {
    expect(startsAt(server, { [NAME]: `45@${NOW_MS}` }, '?start=5')).toBe(5)
  })
})
