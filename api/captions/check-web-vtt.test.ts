import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { findDescendant, freeze } from '../../test/infrastructure/processes.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { checkWebVtt } from './check-web-vtt.ts'

const CUE = '00:00.000 --> 00:01.000\n'
const VALID = `WEBVTT\n\n${CUE}Hi\n`
const tooComplex = { code: 'invalid_caption', message: expect.stringContaining('too complex') }

/** Is parsed in a process of its own. */
const LONG = `${VALID}\nNOTE ${'a'.repeat(40_000)}\n`

describe('a text that needs too much', () => {
  it.each([6_000, 60_000])('stack is refused: %i tags inside each other', async (count) => {
    const content = `WEBVTT\n\n${CUE}${'<b>'.repeat(count)}\n`
    await expect(checkWebVtt(content, 'content')).rejects.toMatchObject(tooComplex)
  })

  it('memory is refused, and the process survives', async () => {
    const content = `WEBVTT\n\n${CUE.repeat(1_000_000)}`
    await expect(checkWebVtt(content, 'content')).rejects.toMatchObject(tooComplex)
    await checkWebVtt(VALID, 'content')
  }, 180_000)

  it('processor time is refused', async () => {
    const content = `WEBVTT\n\n${`${CUE}Hi\n\n`.repeat(500_000)}`
    await expect(checkWebVtt(content, 'content', { processorMaxSeconds: 1 })).rejects.toMatchObject(
      tooComplex,
    )
  }, 180_000)
})

describe('a text whose parser waits for the processor longer than its limit of processor time', () => {
  it('is accepted', async () => {
    const checked = checkWebVtt(LONG, 'content', { processorMaxSeconds: 1 })
    const pid = await waitFor('the parser', async () =>
      findDescendant(process.pid, /webvtt-process/),
    )
    const resume = freeze(pid)
    await sleep(1_500)
    resume()
    await checked
  }, 180_000)
})

describe('a parser that is ended from outside, as for lack of memory,', () => {
  it('is no fault of the text', async () => {
    const checked = checkWebVtt(LONG, 'content').catch((error: unknown) => error)
    const pid = await waitFor('the parser', async () =>
      findDescendant(process.pid, /webvtt-process/),
    )
    process.kill(pid, 'SIGKILL')
    expect(await checked).toMatchObject({ code: 'service_unavailable' })
  }, 180_000)
})

describe('a long text', () => {
  it.each(['\n', '\r\n', '\r'])(
    'is checked to its end, with line ends %j',
    async (lineEnd) => {
      const cues = `${CUE}Hi\n\n`.repeat(10_000)
      const text = (end: string) => `WEBVTT\n\n${cues}${end}`.replaceAll('\n', lineEnd)
      await checkWebVtt(text('NOTE end'), 'content')
      await expect(
        checkWebVtt(text('00:03.000 --> 00:02.000\nHi'), 'content'),
      ).rejects.toMatchObject({
        code: 'invalid_caption',
        message: expect.stringContaining('line 30003:'),
      })
    },
    180_000,
  )
})
