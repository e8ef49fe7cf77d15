// npm run openapi: writes the OpenAPI documents of the API and of the dashboard from their operations.
import { writeFile } from 'node:fs/promises'
import { committedDocument, committedDocumentFile } from '../api/openapi/document.ts'
import {
  committedDashboardDocument,
  dashboardDocumentFile,
} from '../dashboard/server/openapi/document.ts'

await writeFile(committedDocumentFile, committedDocument())
await writeFile(dashboardDocumentFile, committedDashboardDocument())
