// npm run sdk:types and npm run dashboard:types: write the types of a client from its OpenAPI document.
import { writeFile } from 'node:fs/promises'
import { CLIENT_TYPES, clientTypesOf, fileOf } from './client-types.ts'

const chosen = process.argv[2] === 'sdk' ? CLIENT_TYPES.sdk : CLIENT_TYPES.dashboard
await writeFile(fileOf(chosen.types), await clientTypesOf(chosen.document))
