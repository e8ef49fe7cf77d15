import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { VERSION } from './version.ts'

/**
 * Sends the traces of this process to the collector of the configuration, if there is one; otherwise the libraries are not
 * even loaded. Returns a function that sends the last ones. It never fails, and takes seconds at most: a collector that is
 * away loses traces only.
 */
export async function openTracing(
  tracing: Config['tracing'],
  process: string,
  logger: Logger,
): Promise<() => Promise<void>> {
  if (!tracing) return async () => {}
  const { startTracing } = await import('../tracing/start-tracing.ts')
  return startTracing({ ...tracing, process, version: VERSION, logger })
}
