import {
  readMessage,
  withSender,
  type Command,
  type PlayerEvent,
  type PlayerState,
} from '../client/parent/parent-protocol.ts'

export interface Listener {
  onEvent(event: PlayerEvent, state: PlayerState, code: string | undefined): void
  /** Called when the player requests to fill the window, or to stop. */
  onFullWindow(on: boolean): void
}

type CommandResponse = { ok: boolean; error?: string; state: PlayerState }

/** Exchanges messages with the player in an iframe. Ignores all other windows and origins. */
export class Connection {
  #frame: HTMLIFrameElement
  #origin: string
  #listener: Listener
  #waiting = new Map<
    number,
    { resolve: (state: PlayerState) => void; reject: (e: Error) => void }
  >()
  /** Messages to send when the player becomes ready; null after that. */
  #queue: object[] | null = []
  #lastId = 0

  constructor(frame: HTMLIFrameElement, origin: string, listener: Listener) {
    this.#frame = frame
    this.#origin = origin
    this.#listener = listener
    window.addEventListener('message', this.#hear)
  }

  /** Resolves to the state after the command. Rejects with the player's error code as message. */
  command(command: Command): Promise<PlayerState> {
    this.#lastId += 1
    const message = { type: 'command', id: this.#lastId, ...command }
    if (this.#queue) this.#queue.push(message)
    else this.#post(message)
    return new Promise((resolve, reject) => this.#waiting.set(message.id, { resolve, reject }))
  }

  /** Stops listening and rejects the pending commands. */
  close(): void {
    window.removeEventListener('message', this.#hear)
    for (const { reject } of this.#waiting.values()) reject(new Error('removed'))
    this.#waiting.clear()
  }

  #post(message: object): void {
    this.#frame.contentWindow?.postMessage(withSender(message), this.#origin)
  }

  #hear = ({ source, origin, data }: MessageEvent): void => {
    if (source !== this.#frame.contentWindow || origin !== this.#origin) return
    if (readMessage(data, 'event')) this.#takeEvent(data)
    else if (readMessage(data, 'answer')) this.#takeResponse(data)
    else if (readMessage(data, 'request')?.get('method') === 'full_window') {
      this.#listener.onFullWindow(data.value === true)
      this.#post({ type: 'answer', id: data.id, ok: true })
    }
  }

  #takeEvent(data: { event: PlayerEvent; state: PlayerState; code?: string }): void {
    if (data.event === 'ready') {
      for (const message of this.#queue ?? []) this.#post(message)
      this.#queue = null
    }
    this.#listener.onEvent(data.event, data.state, data.code)
  }

  #takeResponse({ id, ok, error, state }: CommandResponse & { id: number }): void {
    const asked = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (ok) asked?.resolve(state)
    else asked?.reject(new Error(error))
  }
}
