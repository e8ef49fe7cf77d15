import { describe, expect, it } from 'vitest'
import { exampleOf } from '../../views/webhooks/event-type.ts'
import { createOutput } from '../output.ts'
import { createReport } from './report.ts'

const event = exampleOf('video.ready')
const responded = { status: 200, error: null, durationMs: 12 }
const lost = { status: null, error: 'connection refused: is it running?', durationMs: 1 }

describe('the text output of listen', () => {
  it('has a line for each event with time, type, response and duration', () => {
    const lines: string[] = []
    const report = createReport(createOutput(false, (line) => void lines.push(line)))
    report.listening({ api: 'http://api', forwardTo: 'http://local/', freshSecret: 'whsec_x' })
    report.forwarded(event, 1, responded)
    report.forwarded(event, 2, lost)
    report.waiting('The service could not be reached.', 2000)
    report.summary()
    expect(lines[0]).toContain('http://local/\nSigned with the secret whsec_x\n')
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`
    expect(lines[1]).toMatch(new RegExp(`^${time}  video\\.ready      ${event.id}  200  12 ms\n$`))
    expect(lines[2]).toContain('no response: connection refused: is it running?  1 ms')
    expect(lines[3]).toBe('The service could not be reached. Trying again in 2 s.\n')
    expect(lines[4]).toBe('2 forwarded: 1 accepted, 0 refused, 1 without a response.\n')
  })
})
