import { describe, expect, it } from 'vitest'
import { readOptions } from '../../embed-options.ts'
import type { PlayerData } from '../../player-data.ts'
import { openMemory } from '../memory.ts'
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
    ['at the start without any saved position', {}, {}, null],
    ["at the server's position in another browser", server, {}, 30],
    ["at this browser's position if the server has none", {}, { [NAME]: `45@${NOW_MS}` }, 45],
    ["at this browser's position if that is newer", server, { [NAME]: `45@${NOW_MS - 1_000}` }, 45],
    [
      "at another device's position if that is newer",
      server,
      { [NAME]: `45@${NOW_MS - 61_000}` },
      30,
    ],
    [
      'at the start after this browser has reached the end',
      server,
      { [NAME]: `0@${NOW_MS}` },
      null,
    ],
    [
      'at the start after another device has reached the end',
      { resumeSeconds: null, resumeAgeMs: 1_000 },
      { [NAME]: `45@${NOW_MS - 5_000}` },
      null,
    ],
    [
      "at the server's position if only another viewer used this browser",
      server,
      { 'position:v:eve': `45@${NOW_MS}` },
      30,
    ],
    ['at a position that an earlier version of the player saved', {}, { [NAME]: '25' }, 25],
    ['at the start if the saved position is invalid', {}, { [NAME]: 'x@y' }, null],
  ])('%s', (_title, data, kept, seconds) => {
    expect(startsAt(data, kept)).toBe(seconds)
  })

  it('at the start option of the address, if there is one', () => {
    expect(startsAt(server, { [NAME]: `45@${NOW_MS}` }, '?start=5')).toBe(5)
  })
})
