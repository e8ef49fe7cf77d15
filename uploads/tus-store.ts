import type { Readable } from 'node:stream'
import { DataStore, Upload } from '@tus/server'
import { cancelUpload } from '../commands/uploads/end-upload.ts'
import { declareUploadSize } from '../commands/uploads/write-upload.ts'
import type { UploadDetails } from '../db/uploads/uploads.ts'
import type { UploadDeps } from '../sources/complete-upload.ts'
import { receiveUpload, type ArrivingBytes } from './receive-upload.ts'

/** The body of a request. */
export type TusBody = Pick<ArrivingBytes, 'body' | 'bodyBytes'>

/**
 * One upload as the store of a tus server: what the server asks for by an id is this upload. Keeps the error of its last method, because the
 * server turns it into text.
 */
export class TusStore extends DataStore {
  failure: unknown
  readonly #deps: UploadDeps
  readonly #body: TusBody
  #upload: UploadDetails

  constructor(deps: UploadDeps, upload: UploadDetails, body: TusBody) {
    super()
    this.#deps = deps
    this.#upload = upload
    this.#body = body
    this.extensions = ['creation-defer-length', 'termination']
  }

  override getUpload(id: string): Promise<Upload> {
    const { offsetBytes, sizeBytes } = this.#upload
    const size = sizeBytes === null ? {} : { size: sizeBytes }
    return Promise.resolve(new Upload({ id, offset: offsetBytes, ...size }))
  }

  override write(_body: Readable, _id: string, startByte: number): Promise<number> {
    const arriving = { ...this.#body, startByte, sizeBytes: null }
    return this.#keepFailure(receiveUpload(this.#deps, this.#upload, arriving))
  }

  override async declareUploadLength(_id: string, sizeBytes: number): Promise<void> {
    const { db } = this.#deps
    await this.#keepFailure(declareUploadSize(db.em.fork(), this.#upload, sizeBytes))
    this.#upload = { ...this.#upload, sizeBytes }
  }

  override remove(): Promise<void> {
    const { accountId, id } = this.#upload
    const em = this.#deps.db.em.fork()
    return this.#keepFailure(em.transactional((tx) => cancelUpload(tx, accountId, id)))
  }

  async #keepFailure<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      this.failure = error
      throw error
    }
  }
}
