import { SealingError, openTicket, sealTicket } from './sealing.ts'
import type { MasterKeys } from './sealing.ts'

const CONTEXT = 'frame-ticket'
/** Long enough to choose a poster, and to load the pictures again from the cache of the browser. */
const VALID_MS = 10 * 60_000

/** A picture to choose the poster of a video from. */
export interface Frame {
  videoId: string
  /** From 1; 0 is the poster that the ingest made. */
  number: number
}

/** Seals a frame for the address of its picture: the ticket opens that picture for ten minutes. */
export const sealFrameTicket = (
  masterKeys: MasterKeys,
  { videoId, number }: Frame,
  nowMs: number,
): string => sealTicket(masterKeys, `${nowMs + VALID_MS} ${videoId} ${number}`, CONTEXT)

/** Opens a ticket; returns null if it is forged or expired. */
export function openFrameTicket(
  masterKeys: MasterKeys,
  ticket: string,
  nowMs: number,
): Frame | null {
  const text = textOf(masterKeys, ticket)
  const [, validUntil, videoId = '', number] = /^(\d+) ([0-9a-f]{20}) (\d+)$/.exec(text) ?? []
  return Number(validUntil) > nowMs ? { videoId, number: Number(number) } : null
}

function textOf(masterKeys: MasterKeys, ticket: string): string {
  try {
    return openTicket(masterKeys, ticket, CONTEXT)
  } catch (error) {
    if (error instanceof SealingError) return ''
    throw error
  }
}
