import { exampleEventData } from '../../domain/event-examples.ts'
import { eventEnvelope } from '../../domain/events.ts'
import type { EventEnvelope, EventType } from '../../domain/events.ts'

const DATA = exampleEventData('3f1c9a7be04d5628c1d0')
const ID = 'evt_3f1c9a7be04d5628c1d05f0c2f7be04d'
const CREATED_AT = new Date('2026-11-21T09:30:00Z')

/** A whole event of a type, for the documentation; a test holds each against its schema. */
export const exampleOf = <T extends EventType>(type: T): EventEnvelope<T> =>
  eventEnvelope(ID, type, CREATED_AT, DATA[type])
