import { z } from 'zod'
import { hostRule } from '../domain/host-name.ts'
import { DOMAINS_MAX } from '../domain/limits.ts'
import { SETTING_BY_NAME } from '../domain/settings/declarations.ts'
import { grouped } from '../domain/settings/groups.ts'
import { accepts, type Kind, type Setting } from '../domain/settings/kinds.ts'
import type { PlayerSettings, SettingsChange } from '../domain/settings/player-settings.ts'
import { LOOK_NAMES, type PreviewLook } from '../domain/settings/preview-look.ts'

/** By their names, so that the API document has each of them once. */
const choices = new Map<string, z.ZodType>()

function choiceSchema({ type, values }: Setting<'choice'>): z.ZodType {
  const schema = choices.get(type) ?? z.enum(values).meta({ id: type })
  choices.set(type, schema)
  return schema
}

/** Each side once, in order. */
const resolutionsSchema = (values: readonly number[]) =>
  z
    .array(z.int().refine((side) => values.includes(side), `must be one of ${values.join(', ')}`))
    .refine((sides) => sides.length > 0, 'must not be empty')
    .overwrite((sides) => [...new Set(sides)].toSorted((a, b) => a - b))

/** Host names as browsers send them: lowercase, and in punycode if they are not ASCII. */
const host = z
  .string()
  .overwrite((text) => hostRule(text) ?? text)
  .refine(
    (text) => hostRule(text) !== null,
    'must be a host name such as a.example or *.a.example, without scheme, port or path',
  )

const hosts = z
  .array(host)
  .refine((names) => names.length <= DOMAINS_MAX, `must have at most ${DOMAINS_MAX} entries`)

/** The schema of a type, and the rule that its values keep. */
type Ruled = readonly [z.ZodType, rule: string]

// Rules that the API document does not show are refinements: it describes the responses.
const BY_KIND: { [One in Kind]: (setting: Setting<One>) => z.ZodType | Ruled } = {
  switch: () => z.boolean(),
  choice: choiceSchema,
  color: () => [z.string(), 'a colour such as #4f8cff'],
  language: () => [z.string(), 'a BCP 47 language such as en or pt-BR'],
  fraction: ({ min }) => [z.number(), `from ${min} to 1`],
  limit: ({ max }) => [z.int(), `a whole number from 1 to ${max}`],
  days: ({ max }) => [z.int(), `a whole number of days from 1 to ${max}`],
  link: ({ max }) => [z.string(), `an http or https address of at most ${max} characters`],
  line: ({ max }) => [z.string(), `one line of 1 to ${max} characters`],
  resolutions: ({ values }) => resolutionsSchema(values),
  hosts: () => hosts,
}

const EXAMPLES: { [One in Kind]?: unknown } = {
  color: '#4f8cff',
  link: 'https://www.example.com/next-lesson',
  resolutions: [360, 720],
  hosts: ['www.example.com', '*.example.org'],
}

function schemaOf<One extends Kind>(setting: Setting<One>): z.ZodType {
  const made = BY_KIND[setting.kind](setting)
  const schema =
    made instanceof z.ZodType ? made : checked((value) => accepts(setting, value), made)
  return schema.meta({ description: setting.about, example: EXAMPLES[setting.kind] })
}

const checked = (isAccepted: (value: unknown) => boolean, [schema, rule]: Ruled): z.ZodType =>
  isAccepted(null)
    ? schema.refine(isAccepted, `must be ${rule}, or null`).nullable()
    : schema.refine(isAccepted, `must be ${rule}`)

const SCHEMAS = [...SETTING_BY_NAME].map(([name, one]) => [name, schemaOf(one)] as const)

/** The schemas of settings, those of a group in one object. */
export const SETTINGS_SHAPE = shapeOf(SCHEMAS, z.strictObject) as {
  // `as`: made from the declarations, as the type is.
  [Name in keyof PlayerSettings]: Schema<PlayerSettings[Name]>
}

type Schema<Value> = z.ZodType<Value, Value>

type Optional<Value> = z.ZodOptional<Schema<Exclude<Value, undefined>>>

/** The schemas of the named settings in a change: none is required, in groups neither. */
const changeShape = (isIncluded: (name: string) => boolean) =>
  shapeOf(
    SCHEMAS.filter(([name]) => isIncluded(name)).map(([name, schema]) => [name, schema.optional()]),
    (members) => z.strictObject(members).optional(),
  )

/** The schemas of a change of settings. */
export const CHANGE_SHAPE = changeShape(() => true) as {
  // `as`: made from the declarations, as the type is.
  [Name in keyof SettingsChange]-?: Optional<SettingsChange[Name]>
}

/** The schema of a change of what a preview shows. */
export const lookChangeSchema: z.ZodType<Pick<SettingsChange, keyof PreviewLook>> = z.strictObject(
  changeShape((name) => LOOK_NAMES.includes(name)),
)

function shapeOf(
  schemas: readonly (readonly [string, z.ZodType])[],
  group: (members: Record<string, z.ZodType>) => z.ZodType,
): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(grouped(schemas)).map(([name, one]) => [
      name,
      one instanceof z.ZodType ? one : group(one),
    ]),
  )
}
