import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { scalingDocument, scalingFile } from './scaling-document.ts'
import { readRecord } from './scaling-figures.ts'

it('computes the tables of docs/scaling.md from the recorded figures', () => {
  const text = readFileSync(scalingFile, 'utf8')
  expect(text).toContain('<!-- sizing -->')
  expect(text).toBe(scalingDocument(text, readRecord()))
})

it('does not compute a table without the figures that it needs', () => {
  const record = readRecord()
  const figures = record.figures.filter(({ figure }) => figure !== 'segments on one core')
  const text = readFileSync(scalingFile, 'utf8')
  expect(() => scalingDocument(text, { ...record, figures })).toThrow('segments on one core')
})
