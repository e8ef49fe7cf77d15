import type { Reelgate } from '../../../sdk/src/index.ts'
import type { LibraryBucket } from './bucket.ts'
import type { FolderIds } from './folder-ids.ts'
import type { Journal } from './journal.ts'
import type { Patience } from './patience.ts'
import type { ServerState } from './server-state.ts'

/** What all lines of one run of an import share. */
export interface ImportRun {
  reelgate: Reelgate
  /** The folder of the files. */
  base: string
  /** Where the objects are that lines name; null if none may. */
  bucket: Pick<LibraryBucket, 'place' | 'access'> | null
  journal: Journal
  server: ServerState
  folders: FolderIds
  patiently: Patience
  /** Whether the service keeps the files; undefined for the setting of the account. */
  keepOriginal: boolean | undefined
  /** Which line has an external id, so that no two lines become one video. */
  claims: Map<string, number>
  /** Called with how many bytes of a line have left. */
  onSent: (line: number, bytes: number) => void
  /** Ends the run; what is unfinished stays, and the next run continues it. */
  signal: AbortSignal
}

/** What became of a line. */
export interface Outcome {
  /** `present`: its external id is that of a video which this import did not make. */
  state: 'imported' | 'present' | 'failed' | 'interrupted'
  externalId: string | null
  videoId: string | null
  sha256: string | null
  /** Why it failed; null otherwise. */
  reason: { code: string; message: string } | null
}

/** Why a line is not imported, for the report. */
export class LineFailure extends Error {
  override name = 'LineFailure'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
