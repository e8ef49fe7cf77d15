import { z } from 'zod'

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

const jsonSchema: z.ZodType<Json> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(jsonSchema),
    z.record(z.string(), jsonSchema),
  ]),
)

/** The values of placeholders, by name. */
export type TemplateValues = Record<string, Json>

/** A claim template that cannot be used; `message` says why. */
export class TemplateError extends Error {
  override name = 'TemplateError'
}

/** Claims that would let a licence be stored. Only `false` is allowed: licences are never persistent. */
const PERSISTENCE = /persist|offline|stor(e|able)_?licen[cs]e|can_?download/i

/**
 * Parses the template of a token's claims: JSON whose texts contain placeholders such as `{video_id}`. An
 * object with `"$each": "keys"` stands for one object per key. Throws a TemplateError for other JSON, unknown
 * placeholders and claims that allow offline use.
 */
export function parseTemplate(
  text: string,
  placeholders: ReadonlySet<string>,
): { [name: string]: Json } {
  const template = z.record(z.string(), jsonSchema).safeParse(parseJson(text))
  if (!template.success) throw new TemplateError('the claim template is not a JSON object')
  checkNames(template.data)
  checkPlaceholders(template.data, placeholders)
  return template.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new TemplateError('the claim template is not JSON')
  }
}

function checkNames(value: Json): void {
  if (Array.isArray(value)) return value.forEach(checkNames)
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (PERSISTENCE.test(name) && inner !== false)
      throw new TemplateError(`the claim ${name} must be false: licences are never persistent`)
    checkNames(inner)
  }
}

function checkPlaceholders(value: Json, known: ReadonlySet<string>): void {
  for (const [, name = ''] of JSON.stringify(value).matchAll(PLACEHOLDER))
    if (!known.has(name)) throw new TemplateError(`there is no placeholder {${name}}`)
}

const PLACEHOLDER = /\{([a-z_]+)\}/g

/**
 * Fills a template. A text that is one placeholder becomes its value, whatever its type; inside a longer
 * text, values are written as text. `keys` are the values of each key, for `$each`.
 */
export function fillTemplate(template: Json, values: TemplateValues, keys: TemplateValues[]): Json {
  if (typeof template === 'string') return fillText(template, values)
  if (Array.isArray(template))
    return template.flatMap((one) => {
      if (!isEach(one)) return [fillTemplate(one, values, keys)]
      const { $each: _, ...each } = one
      return keys.map((key) => fillTemplate(each, { ...values, ...key }, keys))
    })
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(
    Object.entries(template).map(([name, inner]) => [name, fillTemplate(inner, values, keys)]),
  )
}

const isEach = (value: Json): value is { $each: 'keys' } & { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && value.$each === 'keys'

function fillText(text: string, values: TemplateValues): Json {
  const [, whole] = /^\{([a-z_]+)\}$/.exec(text) ?? []
  if (whole !== undefined && whole in values) return values[whole] ?? null
  return text.replaceAll(PLACEHOLDER, (found, name: string) => {
    const value = values[name]
    if (value === undefined) return found
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}
