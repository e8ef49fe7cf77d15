import { Client, Connection } from '@temporalio/client'
import { isGrpcServiceError } from '@temporalio/client'
import proto from '@temporalio/proto'
import { SEARCH_ATTRIBUTES } from './search-attributes.ts'

export interface TemporalOptions {
  /** host:port of the frontend. */
  address: string
  namespace: string
}

/** Opens a client; connects lazily, so a server that is down fails at the first call, within its deadline. */
export function openClient({ address, namespace }: TemporalOptions): Client {
  return new Client({ connection: Connection.lazy({ address }), namespace })
}

// A CommonJS package: Node finds no named export in it.
const { temporal } = proto

const INDEXED_TYPES = {
  INT: temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_INT,
  KEYWORD: temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
} as const

/** Registers the search attributes that are missing; safe to repeat and on an existing database file. */
export async function ensureSearchAttributes(client: Client): Promise<void> {
  const operator = (client.connection as Connection).operatorService
  const namespace = client.options.namespace
  const { customAttributes } = await operator.listSearchAttributes({ namespace })
  const missing = SEARCH_ATTRIBUTES.filter(({ name }) => !(name in customAttributes))
  if (missing.length === 0) return
  const searchAttributes = Object.fromEntries(
    missing.map(({ name, type }) => [name, INDEXED_TYPES[type as keyof typeof INDEXED_TYPES]]),
  )
  try {
    await operator.addSearchAttributes({ namespace, searchAttributes })
  } catch (error) {
    if (!isGrpcServiceError(error) || !/already exists/i.test(error.message)) throw error
  }
}
