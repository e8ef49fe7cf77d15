// npm run openapi: writes the OpenAPI documents of the API, of the dashboard and of the mobile app.
import { writeFile } from 'node:fs/promises'
import { committedDocument, committedDocumentFile } from '../../api/openapi/document.ts'
import {
  committedDashboardDocument,
  dashboardDocumentFile,
} from '../../dashboard/server/openapi/document.ts'
import { appDocumentFile, committedAppDocument } from '../../player/server/mobile-app/openapi.ts'

await writeFile(committedDocumentFile, committedDocument())
await writeFile(dashboardDocumentFile, committedDashboardDocument())
await writeFile(appDocumentFile, committedAppDocument())
