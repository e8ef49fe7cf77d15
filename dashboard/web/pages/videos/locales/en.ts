import { plural } from '../../../locales/plural.ts'

/** The words of the pages of videos beyond those of the first view. */
export const en = {
  tabs: {
    label: 'Sections of this video',
    overview: 'Overview',
    captions: 'Captions',
    chapters: 'Chapters',
    moments: 'Moments',
    poster: 'Poster',
    renditions: 'Renditions',
    embed: 'Embed',
  },
  details: {
    title: 'Description',
    edit: 'Edit',
    name: 'Title',
    description: 'Description',
    noDescription: 'No description',
    folder: 'Folder',
    save: 'Save',
  },
  warnings: {
    title: 'Different from the source file',
    texts: {
      picture_damaged:
        '{number} % of the picture is damaged or missing in the file. Viewers see the last good frame instead.',
      sound_damaged:
        '{number} % of an audio track is damaged or missing in the file. It is replaced by silence.',
      video_tracks_dropped:
        'Additional video tracks, which are not played: {number}. The default track is played.',
      audio_tracks_dropped:
        'Audio tracks that are not played, because there are too many or they cannot be read: {number}',
      surround_downmixed: 'Audio tracks in surround sound that are played in stereo: {number}',
      subtitles_dropped:
        'Subtitle tracks that are not shown, because they consist of pictures, repeat a language or cannot be read: {number}',
      chapters_dropped:
        'Chapters of the file that are not shown, because they overlap or lie outside the video: {number}',
      data_tracks_dropped: 'Data tracks that are not kept, such as time codes: {number}',
      attachments_dropped:
        'Attached files that are not kept, such as fonts and cover pictures: {number}',
      hdr_converted: 'The HDR picture is shown in SDR.',
      transparency_dropped: 'Transparent parts of the picture are not shown as such.',
      corners_cut:
        'The picture is rotated by an angle that is not a multiple of 90°. Its corners are cut off.',
      frame_rate_reduced: 'The file has {number} frames per second. 60 or fewer are played.',
    },
  },
  captions: {
    list: 'Captions of this video',
    empty: 'This video has no captions yet.',
    default: 'Default',
    shownAtStart: 'Players show captions from the start.',
    hiddenAtStart: 'Players show captions when the viewer turns them on.',
    defaultLanguage: 'Default language:',
    settings: 'This applies to all videos of the account and is part of the player settings.',
    show: 'Show text',
    hide: 'Hide text',
    replace: 'Replace',
    replaceTitle: 'Replace “{label}”',
    add: 'Add captions',
    addInstead: 'Add another language instead',
    choose: 'Choose a file',
    drop: 'Or drop a WebVTT file here (.vtt, at most {size}).',
    tooLarge: 'The file is larger than {size}.',
    language: 'Language',
    languageHint: 'A tag such as en or pt-BR',
    label: 'Name',
    labelHint: 'As viewers see it in the player',
    deleteTitle: 'Delete these captions?',
    deleteText: '“{label}” is deleted and no longer offered in the player.',
    deleteSubmit: 'Delete captions',
  },
  chapters: {
    hint: 'Play the video and add a chapter where it begins. Drag a boundary or move it with the arrow keys. Nothing changes for viewers until you save.',
    empty: 'No chapters yet.',
  },
  moments: {
    hint: 'Play the video and add a moment where it happens. Drag it or move it with the arrow keys. Nothing changes for viewers until you save.',
    empty: 'No moments yet.',
  },
  marks: {
    timeline: 'Timeline: {title}',
    untitled: 'Untitled',
    text: 'Title',
    start: 'Start',
    end: 'End',
    time: 'Time',
    startOf: 'Start of {title}',
    endOf: 'End of {title}',
    remove: 'Remove {title}',
    play: 'Play',
    playFrom: 'Play from {title}',
    addAt: 'Add at {time}',
    taken: 'There is already one at this time, or no time is left.',
    notTime: 'Minutes and seconds, such as 1:05',
    unsaved: plural({ one: '{number} unsaved change', other: '{number} unsaved changes' }),
    refused: 'The changes were not saved. See the marked field.',
  },
  poster: {
    current: 'Current poster',
    public:
      'Anyone with the address can see it. A new choice appears as soon as a page is loaded again.',
    none: 'The poster is made when all renditions are ready.',
    frames: 'Choose a picture',
    hint: 'These pictures are visible only here, until you choose one.',
    noFrames:
      'No frames were kept for this video, because it was prepared by an older version. You can upload a picture instead.',
    automatic: 'Automatic',
    frame: 'Frame {number}',
    chosen: 'The poster has changed.',
    uploaded: 'Uploaded',
    own: 'Upload your own picture',
    choose: 'Choose a picture',
    drop: 'Or drop a JPEG, PNG or WebP here: at most {size}, ideally at least 1280 pixels wide.',
    tooLarge: 'The file is larger than {size}.',
    preview: 'The picture that you have chosen',
    ownHint:
      'It becomes the poster as soon as it is prepared, with its shape unchanged. Location and other metadata are removed.',
    upload: 'Use as poster',
    preparing: 'Your picture is being prepared. The poster changes in a moment.',
    unchanged: 'The poster has not changed.',
    refusals: {
      format: 'This is not a JPEG, PNG or WebP picture.',
      animated: 'The picture is animated. A poster is a still picture.',
      pixels: 'The picture has more than 50 million pixels.',
      small: 'The picture is too small: its longer side needs at least 320 pixels.',
      damaged: 'The picture is damaged or incomplete. Save it again, or choose another.',
      storage: 'The storage of the plan is full.',
      busy: 'Ten pictures of this account are still being prepared. Try again in a moment.',
      internal: 'The picture could not be prepared. Try again.',
    },
  },
  renditions: {
    none: 'The renditions appear here as soon as they are published.',
    name: 'Rendition',
    picture: 'Picture',
    codecs: 'Codecs',
    bitRate: 'Peak bit rate',
    size: 'Size',
    published: 'Published',
    video: 'Video',
    audio: 'Audio',
    total: 'Stored in total: {size}.',
    other: 'Of that, {size} are posters, frames, previews and, if kept, the original.',
  },
  embed: {
    iframe: 'Iframe',
    iframeHint: 'Works on every page. Paste it where the video should play.',
    element: 'With controls for your page',
    elementHint: 'The element has play(), currentTime and events, like a <video>.',
    token: 'Sign a viewer token on your server',
    tokenHint:
      'If playback requires tokens, your server signs one for each viewer. The code prints the embed address.',
    tokenWarning:
      'The signing secret is in the watermark settings. Keep it on your server, and send pages with a token with Cache-Control: private, no-store.',
    sdk: 'Or request a token with the SDK',
    sdkHint: 'Needs an API key with the scope playback:sign.',
  },
  list: {
    label: 'Selection',
    select: 'Select {title}',
    selectAll: 'Select all on this page',
    selected: plural({ one: '{number} video selected', other: '{number} videos selected' }),
    allMatching: plural({ one: 'Select the {number} match', other: 'Select all {number} matches' }),
    onlyPage: 'Only this page',
    move: 'Move',
    clear: 'Clear selection',
    moveTitle: plural({ one: 'Move {number} video', other: 'Move {number} videos' }),
    deleteTitle: plural({ one: 'Delete {number} video', other: 'Delete {number} videos' }),
    deleteText: 'These videos are deleted:',
    deleteSubmit: plural({ one: 'Delete {number} video', other: 'Delete {number} videos' }),
    titleHas: 'Title contains',
    filter: 'Filter',
    noFilter: 'none: all videos of the account',
  },
  add: {
    newFolder: 'New folder…',
    newFolderName: 'Name of the new folder',
    refused: {
      invalid_source_url:
        'This is not a link to a file. It must begin with https:// and use port 443 or 8443.',
      source_not_allowed:
        'This link leads to a private network. Use an address that everyone on the internet can open.',
      source_unreachable:
        'The file cannot be opened at this link. Check that it opens in a private window, without a sign-in.',
      unsupported_source_type:
        'This link does not lead to a video file, but perhaps to a page that shows one. Use the link to the file itself.',
      source_too_large: 'The file is too large. Export it smaller, then try again.',
      insufficient_storage:
        'The plan has not enough storage left for this file. Free some storage or change the plan.',
      too_many_redirects: 'The link redirects too often. Use the final link.',
      folder_exists: 'A folder with this name already exists. Choose it from the list.',
      too_many_folders: 'The account already has the maximum of 1,000 folders.',
    },
  },
  folders: {
    title: 'Folders',
    empty: 'No folders yet.',
    newName: 'New folder',
    create: 'Create',
    rename: 'Name of the folder {name}',
    remove: 'Delete the folder {name}',
  },
}

export type VideosWords = typeof en
