import { fileURLToPath } from 'node:url'
import { OPERATIONS } from '../operations.ts'
import { buildDocument } from './document.ts'

/** The address of an API on its defaults. */
const LOCAL_BASE = 'http://127.0.0.1:8080'

/** The copy in the repository: for reviewers to see what a change does, and for generators to read. */
export const committedDocumentFile = fileURLToPath(
  new URL('../../docs/openapi.json', import.meta.url),
)

/** What that copy must be. */
export const committedDocument = (): string =>
  `${JSON.stringify(buildDocument(OPERATIONS, LOCAL_BASE), null, 2)}\n`
