import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { findDescendant, freeze } from '../../test/infrastructure/processes.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { checkWebVtt } from './read-caption.ts'

const CUE = '00:00.000 --> 00:01.000\n'
const VALID = `WEBVTT\n\n${CUE}Hi\n`
const tooComplex = { code: 'invalid_caption', message: expect.stringContaining('too complex') }

describe('a text that needs too much', () => {
  it('memory is refused, and the process survives', async () => {
    const content = `WEBVTT\n\n${CUE.repeat(1_000_000)}`
    await expect(checkWebVtt(content, 'content')).rejects.toMatchObject(tooComplex)
    await checkWebVtt(VALID, 'content')
  }, 180_000)

  it('processor time is refused', async () => {
    const content = `WEBVTT\n\n${`${CUE}Hi\n\n`.repeat(500_000)}`
    await expect(checkWebVtt(content, 'content', 1)).rejects.toMatchObject(tooComplex)
  }, 180_000)
})

describe('a text whose parser waits for the processor longer than its limit of processor time', () => {
  it('is accepted', async () => {
    const checked = checkWebVtt(VALID, 'content', 1)
    const pid = await waitFor('the parser', async () =>
      findDescendant(process.pid, /webvtt-process/),
    )
    const resume = freeze(pid)
    await sleep(1_500)
    resume()
    await checked
  }, 180_000)
})
