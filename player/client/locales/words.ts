import type { AudioPurpose } from '../../../domain/encoding/audio-purpose.ts'
import type { CaptionStyle } from '../captions/caption-style.ts'
import type { NoPictureInPicture } from '../controls/picture-in-picture.ts'
import type { QualityLimit } from '../playback/why-not-more.ts'
import type { CommonProblem, EmbeddingMistake } from '../problems.ts'

/** All words of the player in one language. `{name}` is a placeholder for `fillIn`. */
export interface Words {
  messages: Record<CommonProblem, string>
  /** Heading of the fix for the owner of the site. */
  forOwner: string
  /** What the owner of the site must change. */
  fixes: Record<EmbeddingMistake, string>
  retry: string
  reload: string
  /** Label of the code that says why the video does not play. */
  reportCode: string
  copyDetails: string
  copied: string
  /** Title of a link. */
  opensNewTab: string
  /** Offered while a video plays that the page has started muted. */
  turnOnAudio: string
  menus: {
    quality: string
    /** Such as `Auto (720p)`. */
    auto: string
    /** Automatic quality that loads less. */
    dataSaver: string
    dataSaverNote: string
    speed: string
    normalSpeed: string
    captions: string
    /** Menu item for no captions. */
    captionsOff: string
    audio: string
    /** A track without a name, such as `Audio 2`. */
    audioTrack: string
    chapters: string
    moments: string
    keyboard: string
    more: string
    back: string
  }
  /** What audio tracks are for. */
  audioPurposes: Readonly<Record<AudioPurpose, string>>
  /** Why automatic quality does not choose more; shown below it. */
  limits: Record<QualityLimit, string>
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
    frameBack: string
    frameForward: string
    loopStart: string
    loopEnd: string
    loopStop: string
    jump: string
    startEnd: string
    showHelp: string
  }
  /** Announced to screen readers, and shown briefly after a key press. */
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
    /** Shown while the video buffers. */
    waiting: string
    resumed: string
    loopFrom: string
    loop: string
    loopOff: string
    linkCopied: string
    noFullScreen: string
    noPictureInPicture: Record<NoPictureInPicture, string>
  }
  /** Shown while a video is encoded. `{time}` is a duration such as `20 seconds`. */
  preparing: {
    video: string
    /** The viewer wants it to play. */
    starts: string
    startsIn: string
    /** The viewer has not pressed play. */
    playable: string
    playableIn: string
    /** Where the playhead stands. */
    part: string
    partIn: string
    /** The time of the estimate has passed. */
    late: string
    partLate: string
    /** For screen readers, when the waiting ends. */
    ready: string
  }
  /** The panels of captions. */
  captions: {
    [Name in keyof CaptionStyle]: { label: string; values: Record<CaptionStyle[Name], string> }
  } & {
    style: string
    sample: string
    reset: string
    close: string
    second: string
    none: string
    transcript: string
    language: string
    search: string
    found: string
    /** Makes the transcript follow the video. */
    follow: string
  }
  /** The player's own context menu. */
  more: {
    title: string
    copyLink: string
    loopStart: string
    loopEnd: string
    loopStop: string
    pictureInPicture: string
    statistics: string
  }
  /** What the statistics show. */
  statistics: {
    title: string
    close: string
    copy: string
    quality: string
    frame: string
    connection: string
    buffer: string
    droppedFrames: string
    codecs: string
    keySystem: string
    video: string
    session: string
  }
}

/** Replaces the `{name}` placeholders of a text. */
export const fillIn = (text: string, values: Record<string, string | number>): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder))

/** Formats a position in seconds as `1:02:03` or `4:05`; with hundredths, as `4:05.50`. */
export function clockTime(seconds: number, { hundredths = false } = {}): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number): string => String(value).padStart(2, '0')
  const clock = hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
  return hundredths ? `${clock}.${two(Math.floor(((seconds * 100) % 100) + 1e-6))}` : clock
}
