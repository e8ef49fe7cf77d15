import type { KeptPieces } from './kept-pieces.ts'
import type { LocalSource } from './local-source.ts'

/** What a thread serves. Each source has a port of its own, which the thread closes when the source is not served any more. */
export interface SourceOrder {
  /** Ends the address, so that a list of processes shows which video a tool works on. */
  name: string
  sizeBytes: number
  /** Null if this machine does not have the file. */
  local: LocalSource | null
  /** The pieces that this machine has of a file that it does not have. All other pieces are asked for. */
  kept: KeptPieces | null
}

/** `index` is that of a piece, from 0. */
export type FromThread =
  | { is: 'serving'; address: string }
  | { is: 'wanted'; index: number }
  | { is: 'fault'; error: unknown }

export type ToThread =
  | { is: 'piece'; index: number; bytes: Uint8Array }
  | { is: 'missing'; index: number }
  | { is: 'unused' }
