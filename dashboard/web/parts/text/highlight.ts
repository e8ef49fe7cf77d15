import { parse, type ParseOptions, type TokenType } from 'sugar-high/core'
import * as go from 'sugar-high/lang/go'
import * as html from 'sugar-high/lang/html'
import * as json from 'sugar-high/lang/json'
import * as php from 'sugar-high/lang/php'
import * as python from 'sugar-high/lang/python'
import * as ruby from 'sugar-high/lang/ruby'
import * as shell from 'sugar-high/lang/shell'
import * as typescript from 'sugar-high/lang/typescript'

/** A language that code can be shown in. */
export type CodeLanguage =
  'go' | 'html' | 'json' | 'php' | 'python' | 'ruby' | 'shell' | 'typescript'

/** Switches off what only JavaScript has. */
const other = (language: ParseOptions): ParseOptions => ({
  ...language,
  jsx: false,
  regex: false,
  templateStrings: false,
})

const LANGUAGES: Record<CodeLanguage, ParseOptions> = {
  go: other(go),
  html: { tokenize: (code) => html.tokenize(code, html) },
  json: other(json),
  php: other(php),
  python: other(python),
  ruby: other(ruby),
  shell: other(shell),
  typescript: { tokenize: (code) => typescript.tokenize(code, undefined) },
}

/** A piece of code and what it is, such as a string. */
export interface CodeToken {
  type: TokenType
  value: string
}

/** Splits code into its tokens; together they are the code. */
export function tokensOf(code: string, language: CodeLanguage): CodeToken[] {
  const { lines } = parse(code, LANGUAGES[language])
  return lines.flatMap(({ tokens }, index) =>
    index === 0 ? [...tokens] : [{ type: 'break', value: '\n' }, ...tokens],
  )
}
