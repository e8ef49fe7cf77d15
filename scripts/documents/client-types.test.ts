import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CLIENT_TYPES, clientTypesOf, fileOf } from './client-types.ts'

describe('the types of a client', () => {
  it.each(Object.entries(CLIENT_TYPES))(
    'of the %s are those of its document: npm run sdk:types and npm run dashboard:types write them',
    async (_name, { document, types }) => {
      const committed = readFileSync(fileOf(types), 'utf8')
      expect(committed === (await clientTypesOf(document))).toBe(true)
    },
  )
})
