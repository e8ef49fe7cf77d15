import { setCurrentDetails } from '@temporalio/workflow'
import type { IngestProgress, RenditionProgress } from '../domain/ingest/ingest.ts'
import { encodedFraction } from '../domain/videos/video-progress.ts'

/**
 * Shows the operator in the Web UI how far an ingest is, by its recorded chunks; this records no command in the history.
 * The fractions of running activities are in their heartbeats.
 */
export function showIngest({ stage, renditions }: IngestProgress): void {
  const encoded = encodedFraction(renditions.map(fractionOf))
  const percent = stage === 'encode' ? `, ${Math.floor(encoded * 100)} % recorded` : ''
  setCurrentDetails([`Stage: ${stage}${percent}`, ...renditions.map(lineOf)].join('\n\n'))
}

const fractionOf = ({ name, stage, chunks }: RenditionProgress) => ({
  name,
  fraction: stage === 'published' ? 1 : chunks ? chunks.done / chunks.count : 0,
})

const lineOf = ({ name, stage, chunks }: RenditionProgress): string =>
  stage === 'encoding' && chunks && chunks.count > 1
    ? `${name}: ${chunks.done} of ${chunks.count} chunks`
    : `${name}: ${stage}`
