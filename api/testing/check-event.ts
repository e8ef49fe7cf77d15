import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { EventEnvelope } from '../../domain/events.ts'
import { EVENT_CATALOG } from '../events/catalog.ts'

const ajv = new Ajv2020({ strict: true, allErrors: true })
// Its types are those of a CommonJS module.
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
const validators = new Map<string, ValidateFunction>()

/**
 * Holds the body of an event, the exact bytes that a receiver gets, against the JSON Schema of its
 * type. Throws an Error that says what differs.
 */
export function checkEvent(body: string): EventEnvelope {
  const complain = (what: string): never => {
    throw new Error(`no event that an integrator could expect: ${what} in ${body.slice(0, 500)}`)
  }
  const event = parse(body) as Partial<EventEnvelope> | null
  const entry = EVENT_CATALOG.find(({ type }) => type === event?.type)
  if (!entry) return complain('no known type')
  const validate = validators.get(entry.type) ?? ajv.compile(entry.jsonSchema)
  validators.set(entry.type, validate)
  if (!validate(event)) complain(ajv.errorsText(validate.errors))
  if (body !== JSON.stringify(event)) complain('more than compact JSON')
  return event as EventEnvelope
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
