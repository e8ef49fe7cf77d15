import type { IngestVideoInput } from '../domain/ingest.ts'
import type { ActivityDeps } from './deps.ts'

export function createForgetChunks(_deps: Pick<ActivityDeps, 'db'>) {
  return async function forgetChunks(_input: IngestVideoInput): Promise<void> {}
}
