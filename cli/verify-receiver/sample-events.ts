import { EVENT_TYPES, eventEnvelope, exampleEventData, isSent } from '../../domain/events.ts'
import type { EventEnvelope, EventType } from '../../domain/events.ts'

/** What is sent at all: one type is reserved. */
export const SENT_EVENT_TYPES: EventType[] = EVENT_TYPES.filter(isSent)

/** A video id that no other delivery has named yet. */
export const newVideoId = (): string => randomHex().slice(0, 20)

/** An event of this type with an id of its own, as the product makes it. */
export const sampleEvent = <T extends EventType>(type: T, videoId: string): EventEnvelope<T> =>
  eventEnvelope(`evt_${randomHex()}`, type, new Date(), exampleEventData(videoId)[type])

const randomHex = (): string => crypto.randomUUID().replaceAll('-', '')
