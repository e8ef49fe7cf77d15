/**
 * The error sentences that SPEKE 2.0 publishes (AWS, "SPEKE API v2"). Only these are told to the operator: other
 * text of a response may quote anything, such as a key.
 */
const SENTENCES = [
  'Missing CPIX@contentId',
  'Missing CPIX@version',
  'Unsupported CPIX@version',
  'Missing ContentKey@commonEncryptionScheme for KID',
  'Non compliant ContentKey@commonEncryptionScheme combination',
  'ContentKey@commonEncryptionScheme non compatible with DRMSystem',
  'Unsupported SPEKE version',
  'Malformed encryption contract',
  'Requested CPIX encryption contract not supported',
  'Missing CPIX encryption contract',
] as const

/** Returns the published sentence in the body of an error, without the id at its end; undefined if it has none. */
export const publishedSentence = (body: string): string | undefined =>
  SENTENCES.find((sentence) => body.toLowerCase().includes(sentence.toLowerCase()))
