import type { Engine } from './engine.ts'
import type { PublishedRungs } from './session.ts'

/**
 * Plays a video that was not playable when its page was sent, from what is published meanwhile. Its code is in a
 * module that other pages do not load.
 */
export interface PreparingVideo {
  /**
   * Waits until the part at the start position plays, and loads it. Resolves to false if it never will; the
   * problems then say why.
   */
  load(engine: Engine): Promise<boolean>
  /** Where the viewer is, or wants to be, in seconds. */
  place(): number
  /** Takes what is published now. */
  onPublished(this: void, published: PublishedRungs): void
}
