import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { appDocumentFile, committedAppDocument } from './openapi.ts'

it('the document of the mobile app is the one in the repository', () => {
  expect(readFileSync(appDocumentFile, 'utf8')).toBe(committedAppDocument())
})
