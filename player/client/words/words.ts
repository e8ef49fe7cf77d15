import type { EmbeddingMistake, MessageCode } from '../message-code.ts'

/** Everything that the player says in one language; `{name}` is filled in. */
export interface Words {
  messages: Record<MessageCode, string>
  /** Heading over what the owner of the site must change. */
  forOwner: string
  /** What the owner of the site must change. */
  fixes: Record<EmbeddingMistake, string>
  retry: string
  reload: string
  menus: {
    quality: string
    /** Such as `Auto (720p)`. */
    auto: string
    speed: string
    normalSpeed: string
    captions: string
    /** No captions. */
    captionsOff: string
    audio: string
    /** A track without a name, such as `Audio 2`. */
    audioTrack: string
    chapters: string
    moments: string
    keyboard: string
    back: string
  }
  help: {
    title: string
    close: string
    or: string
    playPause: string
    back10: string
    forward10: string
    back5: string
    forward5: string
    volumeUp: string
    volumeDown: string
    mute: string
    fullScreen: string
    pictureInPicture: string
    captions: string
    speedDown: string
    speedUp: string
    jump: string
    startEnd: string
    showHelp: string
  }
  /** What is said to screen readers, and shown for a moment where a key was pressed. */
  announce: {
    playing: string
    paused: string
    ended: string
    muted: string
    unmuted: string
    volume: string
    speed: string
    captionsOn: string
    captionsOff: string
    seeked: string
    /** The connection brings too little for the video to go on. */
    waiting: string
    resumed: string
  }
}
