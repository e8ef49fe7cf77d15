/** The words of the overview. */
export const en = {
  title: 'Overview',
  steps: {
    title: 'First steps',
    progress: '{done} of {all} done',
    dismiss: 'Hide',
    waits: 'As soon as a video is ready.',
    video_added: {
      title: 'Add a video',
      text: 'Upload a video file, or paste the link to one.',
      link: 'Add video',
    },
    played_elsewhere: {
      title: 'Embed it on your site',
      text: 'Copy the code, and play the video on your own page.',
      link: 'Copy embed code',
    },
    access_restricted: {
      title: 'Restrict who may watch',
      text: 'Require viewer tokens, or allow only your own domains.',
      link: 'Restrict domains',
    },
    webhook_delivered: {
      title: 'Receive webhooks',
      text: 'Your server learns what happens. Done with the first successful delivery.',
      link: 'Add endpoint',
    },
    colleague_invited: {
      title: 'Invite a colleague',
      text: 'As an owner, editor or reader of this account.',
      link: 'Invite',
    },
  },
  attention: {
    title: 'Needs you',
    none: 'Nothing needs you.',
    openVideo: 'Open video',
    openEndpoint: 'Open endpoint',
    openPlan: 'Open plan',
    openUsage: 'Open usage',
    allFailed: 'Show all failed videos: {number}',
    failures: 'Failed attempts in a row: {number}',
    disabled: 'Switched off because deliveries failed.',
    lastError: 'Last error',
    refused: 'New videos are refused.',
    afterwards: 'After that, new videos are refused.',
    noPlan: 'This account has no plan',
    planEnded: 'The plan has ended',
    planEnds: 'The plan ends {time}',
  },
  playing: 'Playing now',
  videos: 'Videos',
  security: 'Security events, last {hours} h',
  encoding: { title: 'Encoding', more: '{number} more' },
  watched: { title: 'Last watched', plays: 'Plays in {hours} h: {number}' },
  plan: 'Plan',
  nearly: '{limit}: {share} used',
  used: '{used} of {most}',
  minutes: '{number} min',
}

export type OverviewWords = typeof en
