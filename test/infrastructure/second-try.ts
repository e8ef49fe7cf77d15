import { expect, jest } from '@jest/globals'

/**
 * In CI, a test of a browser or of the whole service that fails gets a second try: a shared machine may
 * stop for longer than a deadline. Jest prints the first failure, which is a fault to be mended.
 */
const { testPath } = expect.getState()
if (process.env.CI && /\/test\/|-in-chromium\./.test(testPath ?? ''))
  jest.retryTimes(1, { logErrorsBeforeRetry: true })
