import { readFileSync } from 'node:fs'
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js'
import { expect, it } from 'vitest'
import { countActions } from './count-actions.ts'

const folder = new URL('../../test/histories/', import.meta.url)

const eventsOf = (name: string) => {
  const text = readFileSync(new URL(`deliver-webhook-${name}.json`, folder), 'utf8')
  return historyFromJSON(JSON.parse(text) as { events: unknown[] }).events ?? []
}

it.each([
  ['its start and its first attempt', 'delivered-at-once', 2],
  ['each wait and each later attempt too', 'delivered-at-attempt-3', 6],
  ['each of five attempts', 'failed-five-times', 10],
  ['a signal', 'retried-now', 7],
])('counts %s as actions of a delivery', (_, name, actions) => {
  expect(countActions(eventsOf(name))).toBe(actions)
})

it('counts one more action for a local activity that extends its task', () => {
  const events = eventsOf('delivered-at-once')
  const task = events.slice(1, 4)
  expect(countActions([...events.slice(0, 4), ...task, ...events.slice(4)])).toBe(3)
})
