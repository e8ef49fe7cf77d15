import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { projectDir } from '../../scripts/bootstrap/tools.mjs'
import { listedFiles } from '../../scripts/testing/listed-files.ts'

/** A regular expression of the product. */
export interface Pattern {
  /** Where it stands first: path and line. */
  place: string
  /** As it is written, with its flags. */
  text: string
}

/** Programs that meet no text from outside. */
const OWN_TEXTS = /(^|\/)(test|bench|scripts|design)\/|\.test\.tsx?$|(^|\/)schema\.ts$/

/** Returns each regular expression of the product once. */
export function findPatterns(): Pattern[] {
  const found = new Map<string, Pattern>()
  for (const path of listedFiles('*.ts', '*.tsx').filter((one) => !OWN_TEXTS.test(one)))
    for (const pattern of patternsOf(path))
      if (!found.has(pattern.text)) found.set(pattern.text, pattern)
  return [...found.values()]
}

function patternsOf(path: string): Pattern[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = readFileSync(join(projectDir, path), 'utf8')
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, false, kind)
  const patterns: Pattern[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
      patterns.push({ place: `${path}:${line + 1}`, text: node.text })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return patterns
}
