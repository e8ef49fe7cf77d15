const NAME_MAX_LENGTH = 200

/** True for the id of a device as it is stored and as the operator writes it: printable, without spaces. */
export const isDeviceId = (text: string): boolean =>
  text.length <= NAME_MAX_LENGTH && /^[\x21-\x7e]+$/.test(text)
