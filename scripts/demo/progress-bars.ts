import type { Client } from '@temporalio/client'
import { MultiBar, Presets } from 'cli-progress'
import type { SingleBar } from 'cli-progress'
import { readVideoProgress } from '../../temporal/video-progress.ts'

/** A bar for each rendition; on an output that is no terminal, a line when one is published. */
export interface ProgressBars {
  update(): Promise<void>
  stop(): void
}

/** Shows the progress of one video as its workflow and its activities tell it. */
export function showProgress(client: Client, videoId: string): ProgressBars {
  const isTerminal = process.stdout.isTTY
  const options = { format: '  {name} {bar} {percentage} %', hideCursor: true }
  const multi = isTerminal ? new MultiBar(options, Presets.shades_classic) : null
  const bars = new Map<string, SingleBar>()
  const told = new Set<string>()
  return {
    async update() {
      // Before the relay has started the workflow there is nothing to ask.
      const progress = await readVideoProgress(client, videoId).catch(() => null)
      for (const { name, fraction, stage } of progress?.renditions ?? []) {
        if (multi) {
          const bar = bars.get(name) ?? multi.create(100, 0, { name: name.padEnd(8) })
          bars.set(name, bar)
          bar.update(Math.floor(fraction * 100))
        } else if (stage === 'published' && !told.has(name)) {
          told.add(name)
          console.log(`  ${name} is published`)
        }
      }
    },
    stop() {
      for (const bar of bars.values()) bar.update(100)
      multi?.stop()
    },
  }
}
