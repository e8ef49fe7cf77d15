import { describe, expect, it } from 'vitest'
import { EVENT_CATALOG } from '../../views/webhooks/event-type.ts'
import { respell } from './checks-accepted.ts'
import { newVideoId, sampleEvent } from './kit.ts'

describe('a sample event', () => {
  it.each(EVENT_CATALOG.map(({ type, envelope }) => ({ type, envelope })))(
    '$type fits its documentation, also in another spelling',
    ({ type, envelope }) => {
      const event = sampleEvent(type, newVideoId())
      const json = JSON.stringify(event)
      const other = respell(json)
      expect(envelope.parse(event)).toEqual(event)
      expect(JSON.parse(other)).toEqual(event)
      expect([json, JSON.stringify(event, null, 2)]).not.toContain(other.trim())
      expect(JSON.stringify(JSON.parse(other))).toBe(json)
    },
  )
})
