import type { Pool } from 'undici'

const TUS = { 'Tus-Resumable': '1.0.0' }

/** Sends a file to a tus address in chunks. Throws when a response is another than 204. */
export async function sendFile(
  pool: Pool,
  path: string,
  file: Buffer,
  chunkBytes: number,
): Promise<void> {
  for (let at = 0; at < file.length; at += chunkBytes) {
    const { statusCode, body } = await pool.request({
      path,
      method: 'PATCH',
      headers: {
        ...TUS,
        'Upload-Offset': String(at),
        'Content-Type': 'application/offset+octet-stream',
      },
      body: file.subarray(at, at + chunkBytes),
    })
    const text = await body.text()
    if (statusCode !== 204) throw new Error(`PATCH got ${statusCode}: ${text}`)
  }
}

/** Creates an upload at a tus server; resolves to its path. */
export async function createAtTusServer(
  pool: Pool,
  path: string,
  sizeBytes: number,
): Promise<string> {
  const headers = { ...TUS, 'Upload-Length': String(sizeBytes) }
  const response = await pool.request({ path, method: 'POST', headers })
  await response.body.dump()
  return new URL(String(response.headers.location), 'http://anchor.invalid').pathname
}

/** Creates an upload at the API; resolves to the path of its address. */
export async function createAtApi(pool: Pool, apiKey: string, sizeBytes: number): Promise<string> {
  const { statusCode, body } = await pool.request({
    path: '/v1/uploads',
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ filename: 'a.mp4', size_bytes: sizeBytes }),
  })
  const upload = (await body.json()) as { upload_url: string }
  if (statusCode !== 201) throw new Error(`POST /v1/uploads got ${statusCode}`)
  return new URL(upload.upload_url).pathname
}
