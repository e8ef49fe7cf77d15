import { plural } from '../../locales/plural.ts'

/** The words of the uploads. */
export const en = {
  title: 'Uploads',
  sending: plural({ one: 'Uploading {number} file', other: 'Uploading {number} files' }),
  asking: plural({
    one: '{number} upload needs you',
    other: '{number} uploads need you',
  }),
  finished: 'All uploads are done',
  show: 'Show the uploads',
  hide: 'Hide the uploads',
  close: 'Close the uploads',
  progress: 'Progress of {name}',
  total: 'Progress of all uploads',
  speed: '{size}/s',
  states: {
    waiting: 'Waiting',
    starting: 'Starting',
    finishing: 'Finishing',
    paused: 'Paused at {percent}',
    choose: 'Paused at {percent}: choose the same file again to continue',
    chooseFirst: 'Not sent yet: choose the same file again',
    done: 'Uploaded',
  },
  delays: {
    network: 'No connection. It continues by itself.',
    'sign-in': 'Sign in again, and it continues.',
    server: 'The server is not ready. It continues by itself.',
  },
  actions: {
    pause: 'Pause {name}',
    resume: 'Continue {name}',
    retry: 'Try again: {name}',
    cancel: 'Cancel {name}',
    dismiss: 'Take {name} off the list',
    choose: 'Choose the file',
  },
  otherFile: 'This is another file. Choose {name} with {size}.',
  cancel: {
    title: 'Cancel this upload?',
    text: '{size} of {name} are uploaded already. They are deleted.',
    submit: 'Cancel the upload',
    keep: 'Keep it',
  },
  failures: {
    insufficient_storage:
      'The plan has not enough storage left. Free some storage or change the plan.',
    source_too_large: 'The file is too large. Export it smaller.',
    too_many_uploads:
      'The account has too many unfinished uploads. Cancel some, or wait for others.',
    no_active_plan: 'The account has no active plan.',
    drm_provider_not_configured: 'The operator has to set up Multi-DRM first.',
    insufficient_role: 'You may no longer add videos to this account.',
    folder_not_found: 'The folder no longer exists. Cancel, and choose another one.',
    too_many_folders: 'The account already has the maximum of 1,000 folders.',
    upload_not_found: 'The upload was cancelled or has expired. Try again from the beginning.',
    file_unreadable: 'The file was moved, changed or deleted. Choose it again.',
  },
  failed: 'It could not be uploaded ({code}).',
  refusals: {
    not_video: 'This is not a video file.',
    empty: 'The file is empty.',
    too_large: 'The file is larger than {max}.',
    no_room: 'The plan has only {room} left.',
  },
  said: {
    added: plural({
      one: '{number} file is being uploaded',
      other: '{number} files are being uploaded',
    }),
    done: '{name} is uploaded',
    failed: '{name} was not uploaded: {reason}',
    found: plural({
      one: '{number} upload is unfinished: choose its file again',
      other: '{number} uploads are unfinished: choose their files again',
    }),
  },
}

export type UploadsWords = typeof en
