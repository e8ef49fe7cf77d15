import { describe, expect, it } from 'vitest'
import { readCommand, readResponse } from './parent-commands.ts'
import { withSender } from './parent-protocol.ts'

const command = (method: unknown, value?: unknown, id: unknown = 7): unknown =>
  withSender({ type: 'command', id, method, ...(value === undefined ? {} : { value }) })

describe('a command of the page', () => {
  it.each([
    ['play', undefined],
    ['pause', undefined],
    ['getState', undefined],
    ['seek', 0],
    ['seek', 12.5],
    ['setVolume', 1],
    ['setRate', 0.25],
    ['setMuted', false],
    ['setCaptions', 'pt-BR'],
    ['setCaptions', null],
  ])('%s %s is read', (method, value) => {
    expect(readCommand(command(method, value))).toEqual({ id: 7, command: { method, value } })
  })

  it.each([
    ['seek', undefined],
    ['seek', Number.NaN],
    ['seek', Number.POSITIVE_INFINITY],
    ['seek', -1],
    ['seek', '12'],
    ['seek', { valueOf: 3 }],
    ['setVolume', 1.01],
    ['setVolume', [0.5]],
    ['setRate', 0],
    ['setRate', 1e9],
    ['setMuted', 'yes'],
    ['setMuted', undefined],
    ['setCaptions', undefined],
    ['setCaptions', 'x'.repeat(1_000_000)],
    ['setCaptions', '<b>'],
    ['play', { toString: 'now' }],
  ])('%s is refused with an invalid value: %p', (method, value) => {
    expect(readCommand(command(method, value))).toEqual({ id: 7, error: 'invalid_value' })
  })

  it.each(['', 'load', 'constructor', '__proto__', 'toString', null, 3, {}])(
    'is refused with an unknown method: %p',
    (method) => {
      expect(readCommand(command(method, 1))).toEqual({ id: 7, error: 'unknown_method' })
    },
  )

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['text', JSON.stringify(command('play'))],
    ['a list', [command('play')]],
    ['a message of another sender', { type: 'command', id: 1, method: 'play' }],
    ['another version', { ...(command('play') as object), version: 2 }],
    ['a version as text', { ...(command('play') as object), version: '1' }],
    ['an event', withSender({ type: 'event', event: 'play' })],
    ['properties that it inherits', Object.create(command('play') as object)],
    ['no id', command('play', undefined, null)],
    ['an id as text', command('play', undefined, '7')],
    ['a negative id', command('play', undefined, -1)],
    ['an id that is no number', command('play', undefined, Number.NaN)],
    ['an id beyond safe integers', command('play', undefined, 2 ** 53)],
  ])('is not read from %s', (_what, data) => {
    expect(readCommand(data)).toBeNull()
  })

  it('does not change any prototype', () => {
    const data = JSON.parse(
      '{"source":"reelgate","version":1,"type":"command","id":1,"method":"seek","value":1,"__proto__":{"polluted":true}}',
    ) as unknown
    expect(readCommand(data)).toEqual({ id: 1, command: { method: 'seek', value: 1 } })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('a response of the page', () => {
  it('is positive only with ok: true', () => {
    const reply = (ok: unknown) => readResponse(withSender({ type: 'answer', id: 1, ok }))
    expect(reply(true)).toEqual({ id: 1, ok: true })
    expect(reply('true')).toEqual({ id: 1, ok: false })
    expect(readResponse({ type: 'answer', id: 1, ok: true })).toBeNull()
    expect(readResponse(withSender({ type: 'answer', id: {}, ok: true }))).toBeNull()
  })
})
