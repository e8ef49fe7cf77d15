/** A refusal that a script reads, as `{"error":{"code","message"}}`; people get pages. */
export class PlayerError extends Error {
  override name = 'PlayerError'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}
