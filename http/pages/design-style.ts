import { readFileSync } from 'node:fs'
import { FONT_RULES } from './fonts.ts'

const SHEETS = ['colours.css', 'type.css', 'shapes.css']

/** The design language as CSS: the faces, then the tokens of `design/`. Read once in a process. */
export const DESIGN_STYLE =
  FONT_RULES +
  SHEETS.map((name) => readFileSync(new URL(`../../design/${name}`, import.meta.url), 'utf8')).join(
    '',
  )
