// npm run metrics: writes the tables of docs/metrics.md.
import { readFile, writeFile } from 'node:fs/promises'
import { GENERATED_FROM, metricsFile, metricsTables } from './metrics-document.ts'

const [text = ''] = (await readFile(metricsFile, 'utf8')).split(GENERATED_FROM)
await writeFile(metricsFile, text + metricsTables())
