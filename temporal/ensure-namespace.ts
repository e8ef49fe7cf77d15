import { setTimeout as sleep } from 'node:timers/promises'
import { isGrpcServiceError, type Client } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { DELIVERY_HISTORY_KEPT_DAYS, FAILED_KEPT_DAYS } from '../domain/limits.ts'
import { inNamespace } from './connect.ts'
import type { Namespaces } from './names.ts'
import { ensureSearchAttributes } from './prepare-temporal.ts'

/** Codes of gRPC. */
const NOT_FOUND = 5
const ALREADY_EXISTS = 6
/** INVALID_ARGUMENT, PERMISSION_DENIED, UNIMPLEMENTED and UNAUTHENTICATED. */
const REFUSALS: readonly number[] = [3, 7, 12, 16]

/** A new namespace takes some seconds to reach every part of the server. */
const TIMEOUT_MS = 60_000
const RETRY_MS = 1_000

/** Thrown if Temporal refuses to register a namespace; says what the operator does instead. */
export class NamespaceError extends Error {
  override name = 'NamespaceError'
}

/** Returns how long a new namespace keeps closed workflows: with what else it has, as long as a failed delivery is kept. */
export const keptDaysOf = (namespace: string, { main, deliveries }: Namespaces): number =>
  namespace === deliveries && namespace !== main ? DELIVERY_HISTORY_KEPT_DAYS : FAILED_KEPT_DAYS

/** The same as the protocol takes it. */
export const retentionOf = (namespace: string, namespaces: Namespaces) =>
  msToTs(keptDaysOf(namespace, namespaces) * 24 * 3_600_000)

/** Returns the command that registers a namespace. */
export const creationOf = (namespace: string, namespaces: Namespaces): string =>
  `temporal operator namespace create --namespace ${namespace} --retention ${keptDaysOf(namespace, namespaces)}d`

/**
 * Registers the namespace of the client unless it exists, with its search attributes; waits until Temporal knows both, for a minute at
 * most. Throws a NamespaceError if Temporal refuses.
 */
export async function ensureNamespace(client: Client, namespaces: Namespaces): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    try {
      await registerUnlessKnown(client, namespaces)
      return await ensureSearchAttributes(client)
    } catch (error) {
      if (error instanceof NamespaceError || Date.now() > deadline) throw error
      await sleep(RETRY_MS)
    }
  }
}

/**
 * Registers the namespace of deliveries where set-up did not run, by a client of the main one. Asks for nothing else of one that is there: a
 * worker may lack the right to. Throws a NamespaceError if Temporal refuses.
 */
export async function ensureDeliveriesNamespace(
  main: Client,
  namespaces: Namespaces,
): Promise<void> {
  const client = inNamespace(main, namespaces.deliveries)
  if (client === main) return
  const known = await describeOrNull(client, namespaces.deliveries).catch(() => null)
  if (known === null) await ensureNamespace(client, namespaces)
}

async function registerUnlessKnown(client: Client, namespaces: Namespaces): Promise<void> {
  const { namespace } = client.options
  try {
    if (await describeOrNull(client, namespace)) return
    await client.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: retentionOf(namespace, namespaces),
    })
  } catch (error) {
    if (!isGrpcServiceError(error)) throw error
    const code = Number(error.code)
    if (code === ALREADY_EXISTS) return
    throw REFUSALS.includes(code) ? refusal(namespace, namespaces, error.details) : error
  }
}

/** Reads a namespace; null if Temporal has none of this name. Throws if it does not respond. */
export async function describeOrNull(client: Client, namespace: string) {
  try {
    return await client.workflowService.describeNamespace({ namespace })
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === NOT_FOUND) return null
    throw error
  }
}

function refusal(namespace: string, namespaces: Namespaces, reason: string): NamespaceError {
  const command = creationOf(namespace, namespaces)
  const other =
    namespace === namespaces.main
      ? ''
      : `, or set TEMPORAL_DELIVERIES_NAMESPACE to ${namespaces.main}`
  return new NamespaceError(
    `Temporal has no namespace ${namespace} and refuses to make it (${reason}): run "${command}"${other}.`,
  )
}
