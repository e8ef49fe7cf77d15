import { deliveriesNamespaceOf } from '../domain/workflow-ids.ts'
import { inNamespace, openClient } from '../temporal/connect.ts'
import { ensureNamespace, retentionOf } from '../temporal/ensure-namespace.ts'
import type { Namespaces } from '../temporal/names.ts'
import { ensureSearchAttributes } from '../temporal/prepare-temporal.ts'

/** Those of an installation without settings. */
export const DEFAULT_NAMESPACES: Namespaces = {
  main: 'default',
  deliveries: deliveriesNamespaceOf('default'),
}

/** Registers the namespaces of an installation unless they exist, with their search attributes. */
export async function ensureNamespaces(address: string, namespaces: Namespaces): Promise<void> {
  const client = openClient({ address, namespace: namespaces.main })
  try {
    for (const namespace of allOf(namespaces))
      await ensureNamespace(inNamespace(client, namespace), namespaces)
  } finally {
    await client.connection.close()
  }
}

/**
 * Sets the retention of the embedded server's namespaces and adds the search attributes that they lack;
 * the database file may be from an older version. Throws if the server does not respond within
 * `deadlineMs`.
 */
export async function prepareEmbeddedNamespaces(
  address: string,
  namespaces: Namespaces,
  deadlineMs: number,
): Promise<void> {
  const client = openClient({ address, namespace: namespaces.main })
  try {
    await client.withDeadline(Date.now() + deadlineMs, async () => {
      for (const namespace of allOf(namespaces)) {
        await ensureSearchAttributes(inNamespace(client, namespace))
        await client.workflowService.updateNamespace({
          namespace,
          config: { workflowExecutionRetentionTtl: retentionOf(namespace, namespaces) },
        })
      }
    })
  } finally {
    await client.connection.close()
  }
}

/** The namespaces, once each. */
export const allOf = ({ main, deliveries }: Namespaces): string[] => [
  ...new Set([main, deliveries]),
]
