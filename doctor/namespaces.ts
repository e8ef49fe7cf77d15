import type { Client } from '@temporalio/client'
import { DELIVERED_KEPT_DAYS } from '../domain/limits.ts'
import { inNamespace, openClient } from '../temporal/connect.ts'
import { creationOf, describeOrNull, keptDaysOf } from '../temporal/ensure-namespace.ts'
import type { Namespaces } from '../temporal/names.ts'
import { missingSearchAttributes } from '../temporal/prepare-temporal.ts'
import { Advice } from './advice.ts'
import { RESPONSE_TIMEOUT_MS, type Finding } from './check.ts'
import type { Installation } from './installation.ts'

const DAY_SECONDS = 86_400

/**
 * Checks that Temporal has the namespaces of this installation, with their search attributes, and does not keep the histories of
 * deliveries longer than these. `temporal` is the finding about the server.
 */
export async function checkNamespaces(
  installation: Installation,
  temporal: Promise<Finding>,
): Promise<string> {
  const { namespaces } = installation.config
  const address = installation.temporalAddress()
  if (!(await temporal).ok) throw new Advice('needs Temporal: see there')
  const client = openClient({ address, namespace: namespaces.main })
  const names = [...new Set([namespaces.main, namespaces.deliveries])]
  try {
    return await client.withDeadline(Date.now() + RESPONSE_TIMEOUT_MS, async () =>
      (await Promise.all(names.map((name) => checkOne(client, name, namespaces)))).join(', '),
    )
  } finally {
    await client.connection.close()
  }
}

async function checkOne(client: Client, name: string, namespaces: Namespaces): Promise<string> {
  const known = await describeOrNull(client, name)
  if (known === null)
    throw new Advice(`Temporal has no namespace ${name}: ${creationOf(name, namespaces)}`)
  const missing = await missingSearchAttributes(inNamespace(client, name))
  if (missing.length > 0)
    throw new Advice(
      `${name} lacks the search attributes ${missing.join(', ')}: a worker of webhooks adds them; does its log say why not?`,
    )
  const days = Number(known.config?.workflowExecutionRetentionTtl?.seconds ?? 0) / DAY_SECONDS
  const isOfDeliveriesAlone = name !== namespaces.main
  if (isOfDeliveriesAlone && days > DELIVERED_KEPT_DAYS)
    throw new Advice(
      `${name} keeps histories of deliveries for ${days} days, longer than the deliveries: ` +
        `temporal operator namespace update --namespace ${name} --retention ${keptDaysOf(name, namespaces)}d`,
    )
  return `${name} keeps ended workflows for ${days} days`
}
