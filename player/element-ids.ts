/**
 * Ids of the elements that the server writes into the player page and the client looks up. A type, so
 * that a misspelt id does not compile and the client's bundles do not grow.
 */
export type ElementId =
  | 'player'
  /** The JSON of `PlayerData`. */
  | 'player-data'
  /** Live region for screen readers. */
  | 'live'
  | 'help'
  /** Shows briefly what a key or a touch did. */
  | 'bubble'
  /** Text about buffering. */
  | 'waiting'
  /** Error message over the picture. */
  | 'message'
  /** Markers on the seek bar. */
  | 'moments'
  /** Title of the current chapter. */
  | 'chapter'
  /** Opens the help sheet from the settings menu. */
  | 'keyboard-item'
  | MenuId

/** Submenus of the settings that the client fills. */
export type MenuId =
  'quality-menu' | 'captions-menu' | 'audio-menu' | 'chapters-menu' | 'moments-menu'
