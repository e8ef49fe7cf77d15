import { openTicket, sealTicket, type MasterKeys } from '../sealing/sealing.ts'

const CONTEXT = 'frame-ticket'
/** Long enough to choose a poster, and to load the pictures again from the cache of the browser. */
const VALID_MS = 10 * 60_000

/** A picture to choose the poster of a video from. */
export interface Frame {
  videoId: string
  /** The name of the stored picture (`domain/videos/media-paths.ts`). */
  name: string
}

/** Seals a picture for the address of its picture: the ticket opens that picture for ten minutes. */
export const sealFrameTicket = (
  masterKeys: MasterKeys,
  { videoId, name }: Frame,
  nowMs: number,
): string => sealTicket(masterKeys, `${nowMs + VALID_MS} ${videoId} ${name}`, CONTEXT)

/** Opens a ticket; returns null if it is forged or expired. */
export function openFrameTicket(
  masterKeys: MasterKeys,
  ticket: string,
  nowMs: number,
): Frame | null {
  const text = openTicket(masterKeys, ticket, CONTEXT) ?? ''
  const [, validUntil, videoId = '', name = ''] = /^(\d+) ([0-9a-f]{20}) (\S+)$/.exec(text) ?? []
  return Number(validUntil) > nowMs ? { videoId, name } : null
}
