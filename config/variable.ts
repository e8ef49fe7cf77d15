import { z } from 'zod'

/** The documentation of one variable, for `docs/configuration.md`. */
interface VariableDocs {
  description: string
  /** Describes the values of a text; numbers and choices describe themselves. */
  values?: string
  unit?: string | undefined
  /** Describes a default that depends on something else. */
  defaultText?: string | undefined
  /** Whether a file may hold the value, named by `NAME_FILE`. */
  isSecret?: boolean
}

/** The documentation of each variable, by its schema. */
export const variableDocs = z.registry<VariableDocs>()

export const documented = <Schema extends z.ZodType>(
  schema: Schema,
  docs: VariableDocs,
): Schema => {
  variableDocs.add(schema, docs)
  return schema
}

export const host = (description: string) =>
  documented(listenHost.default('127.0.0.1').transform(withoutBrackets), {
    values: 'IP address or host name',
    description,
  })

/** An IPv6 address may have the brackets that it needs in addresses. */
const listenHost = z.string().regex(/^(\[?[0-9a-f:.]*:[0-9a-f:.]*(%\w+)?\]?|[\w.-]+)$/i)

const withoutBrackets = (text: string): string => text.replaceAll(/[[\]]/g, '')

export const port = (fallback: number, description: string) =>
  integer(fallback, [1, 65_535], description)

export const integer = (
  fallback: number,
  [min, max = Number.MAX_SAFE_INTEGER]: [min: number, max?: number],
  description: string,
  unit?: string,
) => documented(z.coerce.number().int().min(min).max(max).default(fallback), { description, unit })

export const baseUrl = (description: string, defaultText?: string) =>
  documented(webAddress.optional(), { values: 'http or https address', description, defaultText })

const webAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))

/** An http or https address whose path is `/`. */
export const originOnly = () =>
  webAddress.refine((url) => new URL(url).pathname === '/', 'an address without a path').optional()

/** An address as `host:port`; an IPv6 address has its brackets. */
export const hostAndPort = () =>
  z
    .string()
    .regex(/^[^\s:]+:\d+$|^\[[^\]]+\]:\d+$/)
    .optional()

export const httpsUrl = (description: string) =>
  documented(z.url({ protocol: /^https$/ }).optional(), { values: 'https address', description })

export const text = (values: string, description: string, defaultText?: string) =>
  documented(z.string().optional(), { values, description, defaultText })

export const secret = (values: string, description: string, defaultText?: string) =>
  documented(z.string().optional(), { values, description, defaultText, isSecret: true })

export const name = (fallback: string, description: string) =>
  documented(z.string().min(1).default(fallback), { values: 'name', description })

export const list = (items: string, description: string, defaultText?: string) =>
  documented(z.string().default('').transform(splitList), {
    values: `${items}, separated by commas`,
    description,
    defaultText,
  })

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
