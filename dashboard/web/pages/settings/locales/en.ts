import type { SettingName } from '../../../../../domain/settings/player-settings.ts'

/** The words of the settings. */
export const en = {
  title: 'Settings',
  pages: {
    player: 'Player',
    watermark: 'Watermark',
    domains: 'Domains',
    protection: 'Protection',
    viewers: 'Viewer data',
  },
  effect: 'Changes take effect when a page with the player is reloaded.',
  fields: {
    theme: 'Theme',
    'colors.accent': 'Accent colour',
    'colors.background': 'Background',
    'colors.text': 'Text colour',
    available_resolutions: 'Resolutions',
    'subtitles.enabled_by_default': 'Show captions from the start',
    'subtitles.default_language': 'Caption language',
    'subtitles.size': 'Caption size',
    'watermark.enabled': 'Show the watermark',
    'watermark.required': 'Require viewer tokens',
    'watermark.opacity': 'Opacity',
    'watermark.size': 'Size',
    'concurrent_plays.limit': 'Plays at the same time',
    'concurrent_plays.winner': 'Who keeps playing',
    'end_screen.action': 'End of a video',
    'end_screen.link_url': 'Address of the link',
    'end_screen.link_text': 'Text of the link',
    allowed_domains: 'Allowed domains',
    blocked_domains: 'Blocked domains',
    direct_play: 'Direct Play',
    app_only_l3: 'App-Only mode',
    keep_original: 'Keep the original file',
    import_chapters_and_captions: 'Chapters and captions from the file',
    normalize_loudness: 'Equal loudness',
    'viewer_data.totals_only': 'Totals only',
    'viewer_data.sessions_kept_days': 'Keep sessions (days)',
    'viewer_data.progress_kept_days': 'Keep progress (days)',
  } satisfies Record<SettingName, string>,
  values: {
    yes: 'On',
    no: 'Off',
    dark: 'Dark',
    light: 'Light',
    auto: 'Automatic',
    small: 'Small',
    medium: 'Medium',
    large: 'Large',
    replay: 'Replay',
    link: 'Link',
    nothing: 'Nothing',
    newest: 'The newest',
    oldest: 'The oldest',
    none: 'None',
    browserLanguage: 'Browser language',
    unlimited: 'Unlimited',
    installation: 'As long as the installation',
  },
  /** By the kind of the setting; `domain` and `tooMany` for hosts. */
  rules: {
    color: 'A colour such as #4f8cff.',
    language: 'A language such as en or pt-BR.',
    resolutions: 'Choose at least one.',
    domain: 'Line {line} is not a host name such as www.example.com or *.example.com.',
    tooMany: 'At most {number} domains.',
    limit: 'A whole number from 1 to {number}, or empty.',
    days: 'A whole number from 1 to {number}, or empty.',
    link: 'An address that begins with https:// or http://.',
    line: 'One line of at most {number} characters.',
  },
  save: {
    unsaved: 'Unsaved changes',
    saved: 'Saved',
    submit: 'Save',
    discard: 'Discard',
    again: 'Your changes are still here. Save again once this is resolved.',
  },
  refused: {
    playsTitle: 'Some plays would be refused',
    withoutToken:
      'Plays of the last 24 hours without a valid token: {number}. Once tokens are required, such plays are refused. Sign tokens on your server first.',
    title: 'Some sites would be refused',
    text: 'Hosts that played your videos in the last 24 hours and no longer could: {number}.',
    plays: 'Plays: {number}',
    submit: 'Save anyway',
    erasesTitle: 'Erase what is kept of each viewer?',
    erases:
      'Within minutes, the progress of all viewers is deleted, their sessions lose the viewer, and lists of viewers become empty. This cannot be undone. Totals stay.',
    erasesSubmit: 'Erase and save',
  },
  preview: {
    title: 'Preview',
    show: 'Show preview',
    hint: 'The real player, with your unsaved changes. Viewers do not see it.',
    watermarkHint:
      'With you as the viewer. A watermark that is switched on cannot be hidden in the preview.',
    video: 'Video',
    newest: 'Newest video',
    none: 'The preview needs a video that plays. Add one first.',
    invalid: 'Correct the marked fields to see them here.',
  },
  player: {
    appearance: 'Appearance',
    themeHint: 'Automatic follows the setting of the viewer’s device.',
    accentHint: 'Seek bar, buttons and focus.',
    textHint: 'Text and icons of the controls.',
    backgroundHint: 'Behind the picture, where it does not fill the frame.',
    contrast: {
      dark: 'on a dark surface: {ratio}\u00A0:\u00A01',
      light: 'on a light surface: {ratio}\u00A0:\u00A01',
    },
    adjusted: 'Too little contrast: the player shows {color} instead.',
    resolutions: 'Resolutions',
    resolutionsHint: 'New videos are encoded in these, up to their own size.',
    subtitles: 'Captions',
    languageHint: 'Empty: the language of the viewer’s browser.',
    pick: 'Pick: {name}',
  },
  watermark: {
    look: 'Watermark',
    text: 'The verified id of the viewer, drawn over the picture. A recording of the screen shows it too.',
    enabledHint: 'Viewers without a token have no id: they see no watermark.',
    requiredHint:
      'The video plays only with a valid viewer token; current playback without one ends within a minute. Has no effect while the watermark is off.',
  },
  secret: {
    title: 'Signing secret',
    text: 'Your server signs viewer tokens with it. Never put it into a page or an app.',
    ownersOnly: 'Only owners of the account can see it.',
    reveal: 'Show secret',
    hide: 'Hide',
    label: 'Signing secret',
    rotate: 'Replace secret',
    rotateTitle: 'Replace the signing secret?',
    stops: 'All viewer tokens that were signed with the old secret stop working at once.',
    playing: 'Current playback ends within a minute. Watching now: {number}',
    next: 'Put the new secret into every server that signs tokens. Until then, their viewers cannot play videos that require a token.',
    rotated: 'The secret was replaced. The old one no longer works.',
    replaced:
      'It has been replaced in another tab or by another member. The secret that was shown here no longer works.',
  },
  domains: {
    title: 'Who may embed',
    allowed: 'One host per line. Empty: every site may embed your videos.',
    blocked: 'One host per line. A blocked host is refused even if it is allowed above.',
    wildcard: '*.example.com stands for all subdomains, but not for example.com itself.',
    testTitle: 'Would this page be allowed?',
    testText: 'Tests the lists in the form, saved or not.',
    address: 'Address of the page',
    test: 'Test',
    letIn: 'Yes, {host} may embed your videos.',
    domain_blocked: 'No, {host} is blocked.',
    domain_not_allowed: 'No, {host} is not in the list of allowed domains.',
  },
  end: {
    title: 'End of a video',
    urlHint: 'Shown with the replay button. Opens in a new tab.',
    textHint: 'Empty: the name of the site.',
  },
  plays: {
    title: 'Plays at the same time',
    text: 'Limits how many videos one viewer plays at the same time, so that sharing an account on your site is less useful. Viewers without a valid viewer token are not limited.',
    limitHint:
      'Up to 20. Empty: any number. Paused videos count. Takes effect within a minute, also on open pages.',
    winnerHint: 'When the limit is exceeded. The others stop within a minute.',
  },
  protection: {
    title: 'Rules for all videos',
    direct_play:
      'Each video also has a page of its own, whose link can be shared without a website. Everyone with the link can open it, whatever the allowed domains are; required viewer tokens apply.',
    app_only_l3:
      'Browsers without hardware protection do not play. Viewers on Android are sent to the app, which blocks screen recording; the others are asked to use Edge or Safari.',
    appOnlyPlan: 'Works with Multi-DRM plans only. The plan of this account is ClearKey.',
    keep_original:
      'The file that you added is kept in addition to its renditions and uses storage. Applies to videos that are added after the change.',
    import_chapters_and_captions:
      'Chapters and text captions in the file that you add become those of the video. Those that you add yourself are never replaced.',
    normalize_loudness:
      'The audio of all videos is brought to the same loudness (-16 LUFS) by one gain per track; loud and quiet parts keep their difference. Applies to videos that are added after the change.',
  },
  viewers: {
    title: 'What is kept of each viewer',
    text: 'Viewers are those with a viewer token. Totals of the audience are kept in any case.',
    totals_only:
      'Keeps no viewers, no progress and no viewer in sessions that have ended. Viewers start videos from the beginning, lists of viewers are empty, and numbers of viewers are estimates.',
    stays:
      'Security events, revoked viewers and devices of Multi-DRM keep the viewer id, because they enforce rules. Erase a viewer to remove it there as well.',
    'viewer_data.sessions_kept_days':
      'A session says who watched, when and from which site. Empty: as long as the installation keeps them. Older ones are deleted within the hour.',
    'viewer_data.progress_kept_days':
      'After the viewer’s last session: plays, watched time, last position and completion. Empty: as long as the installation keeps it.',
  },
}

export type SettingsWords = typeof en
