import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript'
import { z } from 'zod'

const folder = new URL('../../', import.meta.url)

/** The documents by the client whose types are made of them. */
export const CLIENT_TYPES = {
  sdk: { document: 'docs/openapi.json', types: 'sdk/src/schema.ts' },
  dashboard: { document: 'docs/dashboard-openapi.json', types: 'dashboard/web/api/schema.ts' },
} as const

/** The path of a file of `CLIENT_TYPES`. */
export const fileOf = (name: string): string => fileURLToPath(new URL(name, folder))

/**
 * The types of a document. openapi-typescript makes a string of an open enum, so a type of its known values is added, for
 * example `KnownErrorCode`.
 */
export async function clientTypesOf(document: string): Promise<string> {
  const tree = await openapiTS(new URL(document, folder), { defaultNonNullable: false })
  const { components } = documentSchema.parse(JSON.parse(await readFile(fileOf(document), 'utf8')))
  const known = Object.entries(components.schemas).map(([name, schema]) => knownType(name, schema))
  return COMMENT_HEADER + astToString(tree) + known.join('')
}

const openEnumSchema = z.object({ 'x-extensible-enum': z.array(z.string()).default([]) })
const documentSchema = z.object({
  components: z.object({ schemas: z.record(z.string(), openEnumSchema) }),
})

function knownType(name: string, schema: z.output<typeof openEnumSchema>): string {
  const values = schema['x-extensible-enum'].map((value) => `\n    | ${JSON.stringify(value)}`)
  return values.length === 0 ? '' : `export type Known${name} =${values.join('')};\n`
}
