import { z } from 'zod'
import { variableDocs } from './variable.ts'

const inputSchema = z.object({
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
})

/** Describes the values that a variable takes, in Markdown: `1 to 65535`, "`debug`, `info`", "folder". */
export function valuesOf(schema: z.ZodType): string {
  const { values, unit } = variableDocs.get(schema) ?? {}
  const input = inputSchema.parse(z.toJSONSchema(schema, { io: 'input' }))
  const described = values ?? input.enum?.map((value) => `\`${value}\``).join(', ')
  return `${described ?? rangeOf(input)}${unit === undefined ? '' : ` ${unit}`}`
}

/** JSON Schema bounds every integer by what JavaScript can hold. */
const rangeOf = ({ minimum = 0, maximum = Infinity }: z.infer<typeof inputSchema>): string =>
  maximum < Number.MAX_SAFE_INTEGER ? `${minimum} to ${maximum}` : `${minimum} or more`
