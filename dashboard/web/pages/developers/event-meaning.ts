import { isEventType } from '../../../../domain/webhooks/events.ts'
import type { EventType } from '../../api/webhooks.ts'
import { useDeveloperWords } from './words.ts'

/** Returns a function that says when an event is sent; in English for a type that only the server knows. */
export function useMeaning(): (event: EventType) => string {
  const { meanings } = useDeveloperWords()
  return ({ type, description }) => (isEventType(type) ? meanings[type] : description)
}
