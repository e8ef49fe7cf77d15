import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** The figures that the tables of `docs/scaling.md` are computed from. */
export const figuresFile = fileURLToPath(new URL('../../docs/scaling.json', import.meta.url))

const figuresSchema = z.array(
  z.object({
    figure: z.string(),
    value: z.number(),
    unit: z.string(),
    anchor: z.number().nullable(),
    budget: z.string(),
  }),
)

const recordSchema = z.object({ machine: z.string(), figures: figuresSchema })

const reportSchema = z.object({ groups: z.array(z.object({ figures: figuresSchema })) })

/** Reads the figures of all groups from what `npm run bench -- … --json` has printed. */
export const readFigures = (file: string) =>
  reportSchema
    .parse(JSON.parse(readFileSync(file, 'utf8')))
    .groups.flatMap(({ figures }) => figures)

/** Figures of `npm run bench -- … --json`, and the machine that measured them. */
export type ScalingRecord = z.infer<typeof recordSchema>

export const readRecord = (): ScalingRecord =>
  recordSchema.parse(JSON.parse(readFileSync(figuresFile, 'utf8')))

/**
 * Returns the last figure with a matching name, and the number that the first group of `pattern` has matched. Throws if none was
 * measured.
 */
export function findFigure(
  { figures }: ScalingRecord,
  pattern: RegExp,
): { value: number; count: number } {
  const found = figures.findLast(({ figure }) => pattern.test(figure))
  if (!found) throw new Error(`docs/scaling.json has no figure ${pattern.source}`)
  return { value: found.value, count: Number(pattern.exec(found.figure)?.[1]) }
}

/** Two significant digits below 100. */
export const rounded = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2)))
