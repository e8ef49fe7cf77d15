// npm run openapi: writes docs/openapi.json from the operations.
import { writeFile } from 'node:fs/promises'
import { committedDocument, committedDocumentFile } from '../api/openapi/document.ts'

await writeFile(committedDocumentFile, committedDocument())
