import { isoUtc } from '../../../domain/timestamps.ts'
import { humaneTime, printable, type Output } from '../../output.ts'
import type { FoundVideo, Service } from './service.ts'

/** What became of the videos of a service. */
export interface ManifestResult {
  lines: number
  leftOut: number
  /** Of the lines, those that lack something that the service has. */
  incomplete: number
  /** When the first link ends; null if none does. */
  expiresAt: Date | null
}

/** The output of `manifest`: a line for each video that is left out or lacks something, and the sums. */
export interface ManifestReport {
  problem: (video: FoundVideo, isWritten: boolean, problems: readonly string[]) => void
  progress: (result: ManifestResult) => void
  waiting: (reason: string, waitMs: number) => void
  end: (result: ManifestResult) => void
}

/** Waits that are shorter are not worth a line. */
const WORTH_SAYING_MS = 5_000

/** Creates the report about a manifest at `output`. */
export function createManifestReport(
  out: Output,
  service: Service['name'],
  output: string,
): ManifestReport {
  return {
    problem({ id, title }, isWritten, problems) {
      const externalId = id === '' ? null : `${service}:${id}`
      const record = {
        object: 'manifest_video',
        external_id: externalId,
        title,
        result: isWritten ? 'incomplete' : 'left_out',
        problems,
      }
      const name = `${externalId ?? 'a video without an id'}${title === null ? '' : ` (${title})`}`
      const words = isWritten ? 'incomplete' : 'left out'
      out.print(record, printable(`${name}: ${words}. ${problems.join(' ')}`))
    },
    progress: ({ lines, leftOut }) => out.draw(`${lines} videos written, ${leftOut} left out`),
    waiting(reason, waitMs) {
      if (waitMs >= WORTH_SAYING_MS)
        out.note(printable(`${reason} Trying again in ${Math.ceil(waitMs / 1_000)} s.`))
    },
    end({ lines, leftOut, incomplete, expiresAt }) {
      const ends = expiresAt && isoUtc(expiresAt)
      const record = { object: 'manifest', service, output, lines, left_out: leftOut, incomplete }
      const words = `Wrote ${lines} videos to ${output}; left out: ${leftOut}, incomplete: ${incomplete}.`
      const links =
        ends === null
          ? 'Its links do not end.'
          : `Its links end from ${humaneTime(ends)} on: import it before. The same command renews them.`
      out.print({ ...record, links_expire_at: ends }, `${words}\n${links}`)
    },
  }
}
