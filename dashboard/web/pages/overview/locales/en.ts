/** The words of the overview. */
export const en = {
  title: 'Overview',
  steps: {
    title: 'First steps',
    progress: '{done} of {all} done',
    done: 'Done',
    open: 'Open',
    dismiss: 'Hide',
    video_added: {
      title: 'Add a video',
      text: 'Paste the link to a video file.',
      link: 'Add video',
    },
    video_ready: {
      title: 'Wait until it is ready',
      text: 'It is downloaded, encoded and encrypted. This takes about as long as the video.',
      link: 'Watch progress',
    },
    played_elsewhere: {
      title: 'Embed it on your site',
      text: 'Copy the code from the video’s page, and play it on your own page.',
      link: 'Choose a video',
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
  playing: 'Playing now',
  security: 'Security events, last {hours} h',
  failed: 'Failed videos, last {days} days',
  endpoints: 'Failing webhook endpoints',
  calm: 'Nothing needs your attention',
  calmText: 'Failed videos, failing endpoints and used-up limits appear here.',
  failures: 'Failed attempts in a row: {number}',
  disabled: 'Disabled',
  all: 'Show all',
  plan: 'Plan',
  nearly: '{limit}: {share} used',
  planEnded: 'The plan has ended: new videos are refused.',
  planEnds: 'The plan ends {time}.',
}

export type OverviewWords = typeof en
