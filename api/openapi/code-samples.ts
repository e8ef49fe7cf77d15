import type { z } from 'zod'
import type { CodeSample } from '../../http/openapi/describe-operations.ts'
import type { Operation } from '../../http/operation.ts'
import { SAMPLES, type SampleCall } from './sample-calls.ts'

/**
 * Samples of an operation for curl and for the client library. Method, path and parameters come from the operation,
 * the client's method and a body from `SAMPLES`. Throws if `SAMPLES` has no entry for the operation.
 */
export function codeSamplesOf(operation: Operation, apiBase: string): CodeSample[] {
  const sample = SAMPLES[operation.id] ?? missing(operation.id)
  const { call, body, query, picture } = sample
  const input = body ?? query
  const parameters = Object.values(operation.params).map(({ schema }) => exampleOf(schema))
  return [
    {
      lang: 'Shell',
      label: 'curl',
      source: curlOf(operation, apiBase, parameters, sample),
    },
    {
      lang: 'TypeScript',
      label: 'SDK',
      source: sdkOf(call, apiBase, [
        ...[...parameters, ...(input === undefined ? [] : [input])].map(literal),
        ...(picture === undefined ? [] : [picture]),
      ]),
    },
  ]
}

function curlOf(
  { method, path }: Operation,
  apiBase: string,
  parameters: unknown[],
  { body, query = {}, picture }: SampleCall,
): string {
  const rest = [...parameters]
  const target = path.replaceAll(/\{\w+\}/g, () => String(rest.shift()))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) search.set(name, String(value))
  const url = apiBase + target + (search.size > 0 ? `?${search.toString()}` : '')
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${url}'`,
    `  -H "Authorization: Bearer $REELGATE_API_KEY"`,
  ]
  if (body) lines.push(`  -H 'Content-Type: application/json'`, `  -d '${JSON.stringify(body)}'`)
  if (picture !== undefined) lines.push(`  --data-binary "@$PICTURE"`)
  return lines.join(' \\\n')
}

const sdkOf = (
  call: string,
  apiBase: string,
  args: readonly string[],
): string => `import { Reelgate } from '@reelgate/sdk'

const reelgate = new Reelgate({
  apiKey: process.env.REELGATE_API_KEY!,
  baseUrl: '${apiBase}',
})
const result = await reelgate.${call}(${args.join(', ')})
console.log(result)`

/** A value as a TypeScript literal: single quotes, and no quotes around names. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `'${JSON.stringify(value).slice(1, -1)}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(([name, field]) => `  ${name}: ${literal(field)},`)
  return `{\n${fields.join('\n')}\n}`
}

const EXAMPLE_ROW_ID = 17

/** The sample value of a path parameter: its documented example, or a number for a row id. */
function exampleOf(schema: z.ZodType): unknown {
  const { example, type } = schema.meta() ?? {}
  return example ?? (type === 'integer' ? EXAMPLE_ROW_ID : 'example')
}

function missing(id: string): never {
  throw new Error(`The operation ${id} has no sample call: add it to api/openapi/sample-calls.ts`)
}
