import { describe, expect, it } from '@jest/globals'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { checkWebVtt } from './read-caption.ts'

const CUE = '00:00.000 --> 00:01.000\n'

describe('a text that needs too much memory', () => {
  it('is refused, and the process survives', async () => {
    const content = `WEBVTT\n\n${CUE.repeat(1_000_000)}`
    await expect(checkWebVtt(content, 'content')).rejects.toMatchObject({
      code: 'invalid_caption',
      message: expect.stringContaining('too complex'),
    })
    // Repeated, because the parser has ten seconds, and on a busy machine it may not even start in that time.
    const isAccepted = () =>
      checkWebVtt(`WEBVTT\n\n${CUE}Hi\n`, 'content').then(
        () => true,
        () => false,
      )
    await waitFor('a valid text to be accepted', isAccepted)
  }, 180_000)
})
