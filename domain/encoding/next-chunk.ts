/** What decides which chunk of a video is encoded next. Chunks are numbered from 0. */
export interface ChunkChoice {
  /** Of all chunks. */
  count: number
  /** Chunks that are recorded, or that another activity encodes. */
  taken: ReadonlySet<number>
  /** The chunks that viewers watch now. */
  playheads: readonly number[]
}

/**
 * Returns the chunk that a viewer needs first: the first chunk, without which nothing plays; then the one that is
 * nearest ahead of a playhead, which may be in it, and of the earliest playhead among equals; then the rest in the order
 * of the video. Null if all are taken.
 */
export function nextChunk({ count, taken, playheads }: ChunkChoice): number | null {
  const free = freeChunks(count, taken)
  if (free[0] === 0) return 0
  const ahead = playheads
    .toSorted((a, b) => a - b)
    .flatMap((playhead) => {
      const index = free.find((one) => one >= playhead)
      return index === undefined ? [] : { index, distance: index - playhead }
    })
  const least = Math.min(...ahead.map(({ distance }) => distance))
  return ahead.find(({ distance }) => distance === least)?.index ?? free[0] ?? null
}

const freeChunks = (count: number, taken: ReadonlySet<number>): number[] =>
  Array.from({ length: count }, (_, index) => index).filter((one) => !taken.has(one))

/** A chunk that an activity has claimed. */
export interface Claim {
  ticket: number
  index: number
}

export interface TicketChoice {
  /** Of the activity, from 0: there are as many as chunks. */
  ticket: number
  count: number
  claims: readonly Claim[]
  /** Claimed chunks whose encoder is lost: without it, Temporal retries their activities behind all that wait. */
  lost?: readonly number[]
  /** The chunks that are recorded. */
  recorded: readonly number[]
  /** The chunks that viewers watch now; null for a video that does not play while it grows. */
  playheads: readonly number[] | null
}

/**
 * Returns the chunk of a ticket: the one that it has claimed, or the next one. Null if none is left. The ticket then has
 * no work: it is not needed for the chunks of other tickets, whose activities last until these are recorded.
 */
export function chunkOfTicket(choice: TicketChoice): number | null {
  const { ticket, count, claims, lost = [], recorded, playheads } = choice
  const own = claims.find((claim) => claim.ticket === ticket)
  if (own) return own.index
  const held = claims.map(({ index }) => index).filter((index) => !lost.includes(index))
  const taken = new Set([...recorded, ...held])
  if (!playheads && !taken.has(ticket)) return ticket
  return nextChunk({ count, taken, playheads: playheads ?? [] })
}

/** What decides which chunk of the rungs that no video begins to play with is encoded next. */
export interface LaterTicketChoice extends Omit<TicketChoice, 'lost' | 'playheads'> {
  /** Whether this machine has read the source of a chunk, for the first rung. */
  hasRead: (index: number) => boolean
}

/**
 * Returns the chunk of a ticket: the one that it has claimed; else the first free one whose source this machine has read; else the
 * first free one. Null if none is left, as of `chunkOfTicket`.
 */
export function laterChunkOfTicket(choice: LaterTicketChoice): number | null {
  const { ticket, count, claims, recorded, hasRead } = choice
  const own = claims.find((claim) => claim.ticket === ticket)
  if (own) return own.index
  const taken = new Set([...recorded, ...claims.map(({ index }) => index)])
  const free = freeChunks(count, taken)
  return free.find(hasRead) ?? free[0] ?? null
}
