// npm run scaling [FIGURES.json …]: records figures of `npm run bench -- … --json` and writes docs/scaling.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { format, resolveConfig } from 'prettier'
import { scalingDocument, scalingFile } from './scaling-document.ts'
import { figuresFile, readFigures, readRecord } from './scaling-figures.ts'

const files = process.argv.slice(2)
if (files.length > 0) {
  const figures = files.flatMap(readFigures)
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const machine = `${cpus().length} × ${cpu?.model.trim() ?? 'processor'}, ${memory} GiB`
  const options = { ...(await resolveConfig(figuresFile)), filepath: figuresFile }
  writeFileSync(figuresFile, await format(JSON.stringify({ machine, figures }), options))
}
writeFileSync(scalingFile, scalingDocument(readFileSync(scalingFile, 'utf8'), readRecord()))
