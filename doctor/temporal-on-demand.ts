import type { Client } from '@temporalio/client'
import type { Installation } from './installation.ts'

/** Runs reads of Temporal; each rejects after `deadlineMs`. */
export interface TemporalReader {
  read: <T>(deadlineMs: number, work: (client: Client) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

/** The client is loaded and opened with the first read, so that a process starts, and works, without it. */
export function temporalOnDemand(
  installation: Pick<Installation, 'config' | 'temporalAddress'>,
): TemporalReader {
  let opened: Promise<Client> | null = null
  const open = async (): Promise<Client> => {
    const { openClient } = await import('../temporal/connect.ts')
    return openClient({
      address: installation.temporalAddress(),
      namespace: installation.config.namespaces.main,
    })
  }
  return {
    async read(deadlineMs, work) {
      const client = await (opened ??= open())
      return client
        .withDeadline(Date.now() + deadlineMs, () => work(client))
        .catch((error: unknown) => {
          // The error of a workflow's client has that of gRPC as its cause.
          throw error instanceof Error && error.name === 'ServiceError' ? error.cause : error
        })
    },
    close: async () => (await opened)?.connection.close(),
  }
}
