import { ApplicationFailure } from '@temporalio/common'
import { MockActivityEnvironment } from '@temporalio/testing'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createSdkLogger } from './sdk-logger.ts'

interface Line {
  level: number
  msg: string
  error: { type: string; message: string; stack?: string }
}

/** Returns the line that a worker writes when an activity throws. */
async function lineOf(error: unknown): Promise<Line | undefined> {
  const lines: Line[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const environment = new MockActivityEnvironment({}, { logger: createSdkLogger(logger) })
  const activity = async () => {
    throw error
  }
  await environment.run(activity).catch(() => undefined)
  return lines[0]
}

it('writes type, message and stack of an internal error, without links', async () => {
  const away = new Error('cannot parse https://source.test/?X-Amz-Signature=5ec7e7\nas it is')
  const line = await lineOf(Object.assign(away, { code: 'ENOSPC', query: 'a-secret' }))
  expect(line).toMatchObject({
    level: 40,
    msg: 'Activity failed',
    error: { type: 'ENOSPC', message: 'cannot parse (a link)' },
  })
  expect(line?.error.stack).toMatch(/^ {4}at /)
  expect(JSON.stringify(line)).not.toMatch(/5ec7e7|a-secret/)
})

it('writes code and sentence of a failure that Temporal does not repeat, without its stack', async () => {
  const line = await lineOf(
    ApplicationFailure.nonRetryable('It has no picture.', 'no_video_stream'),
  )
  expect(line?.error).toEqual({ type: 'no_video_stream', message: 'It has no picture.' })
})

it('writes no value of a statement that PostgreSQL refused', async () => {
  const unreadable = new Error('invalid input syntax for type integer: "a-secret"')
  const line = await lineOf(Object.assign(unreadable, { code: '22P02' }))
  expect(line?.error).toMatchObject({
    type: '22P02',
    message: 'invalid input syntax for type integer',
  })
  const missing = new Error('null value in column "a"\n - detail: Failing row contains (a-secret).')
  const refused = await lineOf(Object.assign(missing, { code: '23502', detail: '(a-secret)' }))
  expect(refused?.error).toMatchObject({ type: '23502', message: 'null value in column "a"' })
  expect(JSON.stringify([line, refused])).not.toContain('a-secret')
})
