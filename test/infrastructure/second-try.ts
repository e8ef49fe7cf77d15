import { jest } from '@jest/globals'

/**
 * In CI, a test that fails gets a second try: a shared machine may stop for longer than a deadline. Jest
 * prints the first failure, which is a fault to be mended. Elsewhere a test fails at once.
 */
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true })
