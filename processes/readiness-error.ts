/** Thrown by a check of the readiness whose message is fit for strangers. */
export class NotReadyError extends Error {
  override name = 'NotReadyError'
}
