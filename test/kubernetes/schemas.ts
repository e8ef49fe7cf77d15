import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { parse } from 'yaml'
import { z } from 'zod'

/** Modules with schemas. */
const KUBERNETES = { path: 'k8s.io/kubernetes@v1.36.3', file: 'api/openapi-spec/swagger.json' }
const KEDA = {
  path: 'github.com/kedacore/keda/v2@v2.20.2',
  file: 'config/crd/bases/keda.sh_scaledobjects.yaml',
}

type Schema = Record<string, unknown>

/** Names of files as kubeconform's template `{{.ResourceKind}}{{.KindSuffix}}.json` expects them, with their schemas. */
type SchemaFiles = Map<string, Schema>

/** Writes the JSON Schemas of `kinds` into `folder`. They refuse unknown fields. */
export async function writeSchemas(folder: string, kinds: ReadonlySet<string>): Promise<void> {
  const builtIn = builtInSchemas(await readModuleFile(KUBERNETES), kinds)
  for (const [name, schema] of [...builtIn, ...customSchemas(await readModuleFile(KEDA))])
    writeFileSync(join(folder, name), JSON.stringify(schema))
}

/** Returns a file of a Go module. Go verifies the module by its checksum database. */
async function readModuleFile({ path, file }: typeof KEDA): Promise<string> {
  const { stdout } = await execa('go', ['mod', 'download', '-json', path], { cwd: '/' })
  const { Dir: folder } = z.object({ Dir: z.string() }).parse(JSON.parse(stdout))
  return readFileSync(join(folder, file), 'utf8')
}

const swaggerSchema = z.object({ definitions: z.record(z.string(), z.looseObject({})) })
const kindsSchema = z.array(z.object({ group: z.string(), version: z.string(), kind: z.string() }))

function builtInSchemas(text: string, wanted: ReadonlySet<string>): SchemaFiles {
  const { definitions } = swaggerSchema.parse(JSON.parse(text))
  for (const [name, schema] of Object.entries(definitions)) definitions[name] = adapt(name, schema)
  const files: SchemaFiles = new Map()
  for (const [name, schema] of Object.entries(definitions)) {
    const kinds = kindsSchema.safeParse(schema['x-kubernetes-group-version-kind']).data ?? []
    for (const kind of kinds.filter((one) => wanted.has(one.kind)))
      files.set(fileName(kind), { definitions, $ref: `#/definitions/${name}` })
  }
  return files
}

/** Swagger cannot say that a value is a number or a text. */
const NUMBER_OR_TEXT = /\.(?:IntOrString|Quantity)$/

function adapt(name: string, schema: Schema): Schema {
  if (NUMBER_OR_TEXT.test(name)) return { type: ['string', 'number'] }
  return 'properties' in schema ? { ...schema, additionalProperties: false } : schema
}

const fileName = ({ group, version, kind }: z.infer<typeof kindsSchema>[number]): string => {
  const suffix = group === '' ? version : `${group.split('.')[0]}-${version}`
  return `${kind}-${suffix}.json`.toLowerCase()
}

const customResourceSchema = z.object({
  spec: z.object({
    group: z.string(),
    names: z.object({ kind: z.string() }),
    versions: z.array(
      z.object({
        name: z.string(),
        schema: z.object({ openAPIV3Schema: z.looseObject({}) }),
      }),
    ),
  }),
})

function customSchemas(text: string): SchemaFiles {
  const { group, names, versions } = customResourceSchema.parse(parse(text)).spec
  return new Map(
    versions.map(({ name: version, schema }) => [
      fileName({ group, version, kind: names.kind }),
      strict(schema.openAPIV3Schema),
    ]),
  )
}

/** Refuses unknown fields at every depth, apart from the metadata that the schema leaves open. */
function strict(schema: Schema): Schema {
  const { properties } = schema
  if (typeof properties !== 'object' || properties === null) return schema
  const inner = Object.entries(properties).map(([name, value]) => [name, strict(value as Schema)])
  return { ...schema, properties: Object.fromEntries(inner), additionalProperties: false }
}
