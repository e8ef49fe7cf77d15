import assert from 'node:assert/strict'
import { callJson } from '../fixtures/call-json.ts'
import type { RunningService } from '../fixtures/running-service.ts'

/** An upload of which a release has taken the first half. */
export interface BegunUpload {
  id: number
  file: Buffer
  /** How many bytes are stored. */
  offsetBytes: number
}

interface Upload {
  id: number
  upload_url: string
  offset_bytes: number
  video_id: string | null
}

/** Sends the first half of a file to a release. Resolves to null if it has no uploads. */
export async function beginUpload(
  service: RunningService,
  file: Buffer,
): Promise<BegunUpload | null> {
  const order = { filename: 'half.mp4', size_bytes: file.length }
  const response = await service.request('POST', '/v1/uploads', order)
  if (response.status === 404) return null
  const { id, upload_url: url } = (await response.json()) as Upload
  const offsetBytes = Math.floor(file.length / 2)
  await send(url, 0, file.subarray(0, offsetBytes))
  return { id, file, offsetBytes }
}

/** Sends what is missing to the version that runs now, at its own address of the upload. Resolves to the video's id. */
export async function finishUpload(
  service: RunningService,
  { id, file, offsetBytes }: BegunUpload,
): Promise<string> {
  const read = () => callJson<Upload>(service, 'GET', `/v1/uploads/${id}`)
  const { upload_url: url, offset_bytes: stored } = await read()
  assert.equal(stored, offsetBytes)
  await send(url, offsetBytes, file.subarray(offsetBytes))
  const { video_id: videoId } = await read()
  assert.ok(videoId !== null)
  return videoId
}

async function send(url: string, offset: number, body: Buffer): Promise<void> {
  const response = await fetch(url, {
    method: 'PATCH',
    headers: {
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': String(offset),
      'Content-Type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(body),
  })
  assert.equal(response.status, 204)
}
