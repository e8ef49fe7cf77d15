/** What each number of the audience means, as it stands beside the number in the API, the dashboard and the guide. */
export const DEFINITIONS = {
  plays:
    'Playback sessions that have played for at least 3 seconds. A page that is opened again is another session.',
  viewers:
    'Different viewer ids of plays. Plays without a viewer token have none. Exact for one day; for longer it is an estimate with a standard error of 2.3 %.',
  watch_seconds:
    'Playing time of all plays by wall clock: at double speed, a minute of video counts as half a minute.',
  average_view_seconds: 'Watched time divided by plays.',
  average_watched:
    'The share of the video that a play has shown, on average. A hundredth counts once half of it was shown; repeats do not count.',
  completions: 'Plays that have shown at least 90 of the 100 parts of the video.',
  completion_rate: 'Completions divided by the plays whose player has reported parts.',
  errors: 'Sessions in which playback has failed for good, before or after it began.',
  error_rate: 'Errors divided by plays and failed starts.',
  stall_ratio:
    'Time of interruptions by buffering, divided by this time and the watched time. Waits after seeks do not count.',
  first_frame_seconds:
    'Time from the order to play to the first frame: the mean, and the time within which half and 95 % of plays have begun.',
  peak_sessions: 'The most sessions that played at the same time, of counts once a minute.',
  retention:
    'For each hundredth of the video, the share of plays that have shown it. Replays are the share that has shown it at least twice.',
} as const

/** Days and hours are in UTC, and a session belongs to those of its start. */
export const TIME_DEFINITION =
  'Days and hours are in UTC. A session counts in the hour in which its page was opened, about three minutes after it has ended.'
