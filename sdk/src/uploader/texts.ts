/** What the element says. `{name}`, `{percent}`, `{sent}` and `{size}` are filled in. */
export const TEXTS = {
  choose: 'Choose a video',
  drop: 'or drop it here',
  pause: 'Pause',
  resume: 'Resume',
  retry: 'Try again',
  cancel: 'Cancel',
  another: 'Upload another',
  bar: 'Upload of {name}',
  figures: '{percent} · {sent} of {size}',
  starting: 'Starting',
  sending: 'Uploading',
  waiting: 'Waiting for the network',
  paused: 'Paused',
  complete: 'Uploaded',
  /** For every error code without a text of its own. */
  failed: 'The upload failed',
  upload_not_found: 'This upload has ended',
  upload_size_mismatch: 'This is another file than the one that was begun',
  file_unreadable: 'The file was changed or removed',
  insufficient_storage: 'There is no room for this file',
}

/** Texts by their names, and by the error codes that have one. */
export type UploaderTexts = Partial<Record<keyof typeof TEXTS | (string & {}), string>>

/** Returns a text with its values. */
export function fill(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/** Formats 12_300_000 as `12.3 MB`, as the language writes it. */
export function formatSize(bytes: number, language: string | undefined): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const options = { style: 'unit', unit: UNITS[step], maximumFractionDigits: 1 }
  return new Intl.NumberFormat(language, options as Intl.NumberFormatOptions).format(
    bytes / 1000 ** step,
  )
}
