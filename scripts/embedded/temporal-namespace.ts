import { Connection } from '@temporalio/client'
import { SEARCH_ATTRIBUTES } from '../../temporal/search-attributes.ts'

const NAMESPACE = 'default'
// A closed workflow's id is what makes a second start of the same work harmless.
const RETENTION_SECONDS = 7 * 24 * 3600
// temporal.api.enums.v1.IndexedValueType
const INDEXED_TYPES: Record<string, number> = { TEXT: 1, KEYWORD: 2, INT: 3 }

/**
 * Gives the namespace of the embedded server the search attributes that it lacks, on a database
 * file of an older version too, and its retention. Throws while the server does not answer,
 * within `deadlineMs`.
 */
export async function prepareNamespace(address: string, deadlineMs: number): Promise<void> {
  const connection = Connection.lazy({ address })
  try {
    await connection.withDeadline(Date.now() + deadlineMs, async () => {
      await addMissingSearchAttributes(connection)
      await connection.workflowService.updateNamespace({
        namespace: NAMESPACE,
        config: { workflowExecutionRetentionTtl: { seconds: RETENTION_SECONDS as never } },
      })
    })
  } finally {
    await connection.close()
  }
}

async function addMissingSearchAttributes({ operatorService }: Connection): Promise<void> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace: NAMESPACE })
  const missing = SEARCH_ATTRIBUTES.filter(({ name }) => !(name in customAttributes))
  if (missing.length === 0) return
  const searchAttributes = Object.fromEntries(
    missing.map(({ name, type }) => [name, INDEXED_TYPES[type] ?? 0]),
  )
  await operatorService.addSearchAttributes({ namespace: NAMESPACE, searchAttributes })
}
