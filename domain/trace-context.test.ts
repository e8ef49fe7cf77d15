import { describe, expect, it } from 'vitest'
import { fromTraceParent, spanIdOfRun, spanOfRequest, toTraceParent } from './trace-context.ts'

const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }

describe('the trace of a request', () => {
  it('has the 32 characters of the request id as its own, whose second half names the span of the server', () => {
    const requestId = `req_${ids.traceId}`
    expect(spanOfRequest(requestId)).toEqual({ ...ids, spanId: '8448eb211c80319c' })
    for (const other of [null, '', 'req_1', ids.traceId, `${requestId}0`, requestId.toUpperCase()])
      expect(spanOfRequest(other)).toBeNull()
  })

  it('is passed on in the form of W3C Trace Context', () => {
    const header = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    expect(toTraceParent(ids)).toBe(header)
    expect(fromTraceParent(header)).toEqual(ids)
    for (const other of [undefined, 7, {}, '', `${header} `, header.replace(/1$/, '0')])
      expect(fromTraceParent(other)).toBeNull()
  })

  it('has a span for a run of a workflow, named by the random end of the run id', () => {
    expect(spanIdOfRun('01980f2e-6c1b-7cc3-98c4-dc0c0c07398f')).toBe('98c4dc0c0c07398f')
    expect(spanIdOfRun('a-run')).toBeNull()
  })
})
