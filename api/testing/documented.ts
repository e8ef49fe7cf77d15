import { buildDocument } from '../openapi/document.ts'
import { OPERATIONS } from '../operations.ts'

interface Reference {
  $ref?: string
}

interface DocumentedResponse extends Reference {
  content: Record<string, { schema: { allOf?: { properties?: ErrorProperties }[] } }>
}

interface ErrorProperties {
  error?: { properties: { code: { enum: string[] } } }
}

/** One operation as the OpenAPI document tells of it. */
export interface Documented {
  id: string
  method: string
  path: string
  bodyFields: string[]
  queryParameters: string[]
  /** Query parameters that are dates or times. */
  queryTimes: string[]
  pathParameters: string[]
  /** Why the document does not know of an answer, or null where it does. */
  objection(status: number, code: string | undefined): string | null
}

interface DocumentedOperation {
  operationId: string
  parameters?: { in: string; name: string; schema: { format?: string } }[]
  requestBody?: { content: Record<string, { schema: { properties: object } }> }
  responses: Record<string, DocumentedResponse>
}

/** Every operation of the document, as it is served. */
export function documentedOperations(): Documented[] {
  // As a client reads it.
  const document = JSON.parse(JSON.stringify(buildDocument(OPERATIONS, 'https://api.example'))) as {
    paths: Record<string, Record<string, DocumentedOperation>>
    components: { responses: Record<string, DocumentedResponse> }
  }
  const { responses } = document.components
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const named = (place: string): string[] =>
        (operation.parameters ?? []).filter((one) => one.in === place).map(({ name }) => name)
      const schema = operation.requestBody?.content['application/json']?.schema
      return {
        ...{ id: operation.operationId, method: method.toUpperCase(), path },
        bodyFields: Object.keys(schema?.properties ?? {}),
        ...{ queryParameters: named('query'), pathParameters: named('path') },
        queryTimes: (operation.parameters ?? [])
          .filter((one) => one.in === 'query' && one.schema.format?.startsWith('date'))
          .map(({ name }) => name),
        objection: (status: number, code: string | undefined) => {
          const there = operation.responses[String(status)]
          const response = there?.$ref ? responses[there.$ref.split('/').at(-1) ?? ''] : there
          if (!response) return `the status ${status} is not documented`
          const codes = codesOf(response)
          const isKnown = code === undefined ? status < 300 : codes.includes(code)
          return isKnown ? null : `${status} with the code ${code} is not documented`
        },
      }
    }),
  )
}

const codesOf = (response: DocumentedResponse): string[] =>
  (response.content['application/json']?.schema.allOf ?? []).flatMap(
    ({ properties }) => properties?.error?.properties.code.enum ?? [],
  )
