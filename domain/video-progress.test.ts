import { describe, expect, it } from '@jest/globals'
import { stepsOf } from './video-progress.ts'
import type { RecordedStage } from './video-progress.ts'

const row = (name: string, stage: RecordedStage, fraction: number | null = null) => ({
  name,
  stage,
  fraction,
  updatedAt: new Date(),
})

describe('the steps of an ingest', () => {
  it('come in their order, renditions from small to large', () => {
    const names = ['finish', 'audio-0', '1080p', '240p', 'keys', 'prepare', 'download']
    const steps = stepsOf(
      names.map((name) => row(name, 'running')),
      [],
    )
    expect(steps.map(({ name }) => name)).toEqual([
      'download',
      'prepare',
      'keys',
      '240p',
      '1080p',
      'audio-0',
      'finish',
    ])
  })

  it('are done when a later one is recorded, but a rendition only when it is published', () => {
    const rows = [
      row('download', 'running', 1),
      row('prepare', 'running'),
      row('240p', 'running', 0.4),
      row('480p', 'waiting'),
      row('720p', 'running', 0.9),
    ]
    expect(stepsOf(rows, ['720p'])).toEqual([
      { name: 'download', stage: 'done', fraction: 1 },
      { name: 'prepare', stage: 'done', fraction: 1 },
      { name: '240p', stage: 'running', fraction: 0.4 },
      { name: '480p', stage: 'waiting', fraction: null },
      { name: '720p', stage: 'done', fraction: 1 },
    ])
  })

  it('show the published renditions also when nothing is recorded', () => {
    expect(stepsOf([], ['360p'])).toEqual([{ name: '360p', stage: 'done', fraction: 1 }])
  })
})
