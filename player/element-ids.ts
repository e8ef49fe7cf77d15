// Ids of the elements that the server writes into the player page and the client looks up.

export const PLAYER = 'player'
/** The JSON of `PlayerData`. */
export const PLAYER_DATA = 'player-data'
/** Live region for screen readers. */
export const LIVE = 'live'
export const HELP = 'help'
/** Shows briefly what a key or a touch did. */
export const BUBBLE = 'bubble'
/** Text about buffering. */
export const WAITING = 'waiting'
/** Error message over the picture. */
export const MESSAGE = 'message'
/** Markers on the seek bar. */
export const MOMENTS = 'moments'
/** Title of the chapter that is playing. */
export const CHAPTER = 'chapter'

export const QUALITY_MENU = 'quality-menu'
export const CAPTIONS_MENU = 'captions-menu'
export const AUDIO_MENU = 'audio-menu'
export const CHAPTERS_MENU = 'chapters-menu'
export const MOMENTS_MENU = 'moments-menu'
/** Opens the help sheet from the settings menu. */
export const KEYBOARD_ITEM = 'keyboard-item'

/** Class of the play button that works before the controls have loaded. */
export const EARLY_PLAY_CLASS = 'early'
