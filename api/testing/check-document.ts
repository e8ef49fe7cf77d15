import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { buildDocument } from '../openapi/document.ts'
import type { Operation } from '../operation.ts'
import { OPERATIONS } from '../operations.ts'

/** One request and its answer, as they went over the wire. */
export interface Exchange {
  method: string
  /** With its query. */
  path: string
  /** The body that was sent, where it was JSON. */
  body: unknown
  status: number
  headers: Headers
  answer: unknown
}

const NAME = 'openapi'
const document = JSON.parse(JSON.stringify(buildDocument(OPERATIONS, 'https://api.example')))
const ajv = new Ajv2020({ strict: false, allErrors: true })
// Its types are those of a CommonJS module.
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
ajv.addSchema(document, NAME)
const validators = new Map<string, ValidateFunction>()

/**
 * Holds an exchange against the OpenAPI document: the status is one that the operation has, the
 * answer is as its schema says, a request that was accepted was one that the document allows.
 * Throws an Error that says what differs. What no operation is responsible for is not judged.
 */
export function checkAgainstDocument(exchange: Exchange): void {
  // As it went over the wire: a client takes `..` out of a path.
  const { pathname: path, searchParams } = new URL(exchange.path, 'https://api.example')
  const operation = OPERATIONS.find((one) => isFor(one, exchange.method, path))
  if (!operation) return
  const at = ['paths', operation.path, operation.method]
  const response = responseAt([...at, 'responses', String(exchange.status)])
  const complain = (what: string): never => {
    throw new Error(`${exchange.method} ${exchange.path} (${operation.id}): ${what}`)
  }
  if (!response) return complain(`the status ${exchange.status} is not documented`)
  expectValid(exchange.answer, [...response, 'content', 'application/json', 'schema'], complain)
  expectHeaders(exchange, complain)
  if (exchange.status >= 300) return
  const { required = false } = (valueAt(at).requestBody ?? {}) as { required?: boolean }
  const isLeftOut = exchange.body === undefined && !required
  if (operation.body && !isLeftOut)
    expectValid(
      exchange.body,
      [...at, 'requestBody', 'content', 'application/json', 'schema'],
      complain,
    )
  expectKnownQuery(searchParams, valueAt(at).parameters as { in: string; name: string }[], complain)
}

function isFor(operation: Operation, method: string, path: string): boolean {
  if (operation.method !== method.toLowerCase()) return false
  const pattern = operation.path.replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(path)
}

/** Where the response is, in the operation or among the components. */
function responseAt(at: string[]): string[] | null {
  const response = valueAt(at) as { $ref?: string } | undefined
  if (!response) return null
  return response.$ref === undefined ? at : response.$ref.replace('#/', '').split('/')
}

const valueAt = (at: string[]): Record<string, unknown> =>
  at.reduce((value, key) => value?.[key], document)

function expectValid(value: unknown, at: string[], complain: (what: string) => never): void {
  const pointer = at.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
  const validate =
    validators.get(pointer) ?? ajv.compile({ $ref: `${NAME}#/${encodeURI(pointer)}` })
  validators.set(pointer, validate)
  if (!validate(value))
    complain(`${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)?.slice(0, 500)}`)
}

function expectHeaders({ status, headers }: Exchange, complain: (what: string) => never): void {
  const names = status === 401 ? ['Request-Id'] : ['Request-Id', 'RateLimit-Policy', 'RateLimit']
  for (const name of names) if (!headers.has(name)) complain(`the header ${name} is missing`)
}

function expectKnownQuery(
  search: URLSearchParams,
  parameters: { in: string; name: string }[],
  complain: (what: string) => never,
): void {
  const known = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
  for (const name of search.keys())
    if (!known.includes(name)) complain(`the query parameter ${name} is not documented`)
}
