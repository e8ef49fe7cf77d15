// npm run openapi: the committed copy of the OpenAPI document, made anew from the operations.
import { writeFile } from 'node:fs/promises'
import { committedDocument, committedDocumentFile } from '../api/openapi/committed-document.ts'

await writeFile(committedDocumentFile, committedDocument())
