import { readMessage } from './parent-protocol.ts'
import type { Command, CommandError } from './parent-protocol.ts'

const ID_MAX = 2 ** 31

/**
 * A command from the page. Null for everything that is not in the form of one; an error with the
 * command's id where the form is right and what is asked for is not.
 */
export function readCommand(
  data: unknown,
): { id: number; command: Command } | { id: number; error: CommandError } | null {
  const message = readMessage(data, 'command')
  const id = message?.get('id')
  if (!message || !isId(id)) return null
  const method = message.get('method')
  const read = typeof method === 'string' ? VALUES.get(method) : undefined
  if (!read) return { id, error: 'unknown_method' }
  const value = message.get('value')
  return read(value)
    ? { id, command: { method, value } as Command }
    : { id, error: 'invalid_value' }
}

/** The page's answer to what the player asked of it; null for everything else. */
export function readAnswer(data: unknown): { id: number; ok: boolean } | null {
  const message = readMessage(data, 'answer')
  const id = message?.get('id')
  return message && isId(id) ? { id, ok: message.get('ok') === true } : null
}

const isId = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < ID_MAX

const isNothing = (value: unknown): boolean => value === undefined || value === null
const isBetween = (least: number, most: number) => (value: unknown) =>
  typeof value === 'number' && value >= least && value <= most

/** Longer than any film. */
const SECONDS_MAX = 10_000_000
const LANGUAGE = /^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8}){0,7}$/

const VALUES = new Map<string, (value: unknown) => boolean>([
  ['play', isNothing],
  ['pause', isNothing],
  ['getState', isNothing],
  ['seek', isBetween(0, SECONDS_MAX)],
  ['setVolume', isBetween(0, 1)],
  ['setRate', isBetween(0.25, 4)],
  ['setMuted', (value) => typeof value === 'boolean'],
  ['setCaptions', (value) => value === null || (typeof value === 'string' && LANGUAGE.test(value))],
])
