import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DASHBOARD_ERRORS, ERRORS } from '../../../domain/error-codes.ts'
import { errorCodesOf } from '../../../http/openapi/responses.ts'
import { DASHBOARD_OPERATIONS, MOUNTED_OPERATIONS } from '../operations.ts'
import { committedDashboardDocument, dashboardDocumentFile } from './document.ts'

interface Document {
  paths: Record<string, Record<string, { operationId: string; responses: object }>>
}

const document: Document = JSON.parse(committedDashboardDocument())
const described = Object.values(document.paths).flatMap((methods) => Object.values(methods))

describe('the OpenAPI document of the dashboard', () => {
  it('equals the committed copy, which npm run openapi writes', () => {
    expect(readFileSync(dashboardDocumentFile, 'utf8')).toBe(committedDashboardDocument())
  })

  it('has every operation once', () => {
    const ids = described.map(({ operationId }) => operationId)
    expect(ids.toSorted()).toEqual(MOUNTED_OPERATIONS.map(({ id }) => id).toSorted())
    expect(new Set(ids).size).toBe(ids.length)
    expect(described).toHaveLength(MOUNTED_OPERATIONS.length)
  })

  it('lists its own operations outside /v1, with the parameters of their paths', () => {
    for (const { path, params } of DASHBOARD_OPERATIONS) {
      expect(path).not.toMatch(/^\/v1/)
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(Object.keys(params)).toEqual(names)
    }
  })

  it('names only codes of the registry, and a code of the API only where the API has it', () => {
    for (const operation of MOUNTED_OPERATIONS)
      for (const code of errorCodesOf(operation)) expect(ERRORS).toHaveProperty(code)
    const text = committedDashboardDocument()
    for (const code of ['missing_api_key', 'insufficient_scope'])
      expect(text).not.toContain(`"${code}"`)
    for (const code of ['stale_settings', 'last_owner', 'reauthentication_required'])
      expect(text).toContain(`"${code}"`)
    expect(Object.keys(DASHBOARD_ERRORS)).toContain('stale_settings')
  })
})

describe('an operation of the dashboard that writes', () => {
  it.each(DASHBOARD_OPERATIONS.filter(({ method }) => method !== 'get'))(
    'says what the audit log records: $id',
    ({ audit }) => expect(audit).not.toBeUndefined(),
  )
})
